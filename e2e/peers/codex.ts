import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type ProcessResult, runProcess } from '@black-ide/testkit';

export interface CodexOptions {
  cwd: string;
  /** A temporary home: configuration is written there. */
  home: string;
  prompt: string;
  /** Address of the model server, ending in `/v1`. */
  baseUrl: string;
}

const CODEX = fileURLToPath(new URL('node_modules/@openai/codex/bin/codex.js', import.meta.url));

/** Runs the real codex agent for one prompt, without its sandbox and without questions. */
export async function runCodex(options: CodexOptions): Promise<ProcessResult> {
  if (!existsSync(CODEX)) throw new Error('codex is not installed. Run: npm ci --prefix e2e/peers');
  const folder = join(options.home, '.codex');
  await mkdir(folder, { recursive: true });
  const lines = [
    'model = "mock-model"',
    'model_provider = "mock"',
    'model_reasoning_effort = "medium"',
    'model_reasoning_summary = "auto"',
    'model_supports_reasoning_summaries = true',
    '[model_providers.mock]',
    'name = "mock"',
    `base_url = ${JSON.stringify(options.baseUrl)}`,
    'wire_api = "responses"',
    'env_key = "MOCK_KEY"',
    'request_max_retries = 2',
    'stream_max_retries = 2',
  ];
  await writeFile(join(folder, 'config.toml'), `${lines.join('\n')}\n`);
  const flags = ['--skip-git-repo-check', '--dangerously-bypass-approvals-and-sandbox'];
  return await runProcess({
    command: process.execPath,
    args: [CODEX, 'exec', ...flags, options.prompt],
    cwd: options.cwd,
    env: { PATH: process.env.PATH, HOME: options.home, CODEX_HOME: folder, MOCK_KEY: 'mock-key' },
  });
}
