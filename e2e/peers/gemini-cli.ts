import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type ProcessResult, runProcess } from '@black-ide/testkit';

export interface GeminiOptions {
  cwd: string;
  /** A temporary home: settings are written there. */
  home: string;
  prompt: string;
  /** Address of the model server, without a path. */
  baseUrl: string;
  model: string;
}

const GEMINI = fileURLToPath(new URL('node_modules/@google/gemini-cli/bundle/gemini.js', import.meta.url));
const SETTINGS = {
  security: { auth: { selectedType: 'gemini-api-key' } },
  privacy: { usageStatisticsEnabled: false },
  telemetry: { enabled: false },
  general: { disableAutoUpdate: true, disableUpdateNag: true },
};

/** Runs the real Gemini CLI for one prompt, saying yes to all it asks. */
export async function runGemini(options: GeminiOptions): Promise<ProcessResult> {
  if (!existsSync(GEMINI)) throw new Error('Gemini CLI is not installed. Run: npm ci --prefix e2e/peers');
  const folder = join(options.home, '.gemini');
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'settings.json'), JSON.stringify(SETTINGS));
  return await runProcess({
    command: process.execPath,
    args: [GEMINI, '--skip-trust', '--yolo', '--model', options.model, '--prompt', options.prompt],
    cwd: options.cwd,
    env: {
      PATH: process.env.PATH,
      HOME: options.home,
      NO_COLOR: '1',
      GEMINI_API_KEY: 'mock-key',
      GOOGLE_GEMINI_BASE_URL: options.baseUrl,
    },
  });
}
