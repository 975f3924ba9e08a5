import { existsSync } from 'node:fs';
import { mkdir, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type ProcessResult, runProcess, type Wire } from '@black-ide/testkit';

export interface PiOptions {
  /** The folder it works in. */
  cwd: string;
  /** A temporary home: configuration is written there, sessions are found there. */
  home: string;
  prompt: string;
  /** Address of the model server, without `/v1`. */
  baseUrl: string;
  wire: PiWire;
  /** Open (and append to) this session file. */
  sessionFile?: string;
  /** Continue the newest session of `cwd`. */
  continue?: boolean;
  /** `json` prints every event as a line. Default `text`. */
  mode?: 'text' | 'json';
  timeoutMs?: number;
}

export interface PiResult extends ProcessResult {
  /** The session that the run wrote to. */
  sessionFile: string;
}

const PI = fileURLToPath(new URL('node_modules/@earendil-works/pi-coding-agent/dist/cli.js', import.meta.url));
const MODEL = 'mock-model';
/** Its own default, two seconds, is for real servers. */
const RETRY_DELAY_MS = 20;
export type PiWire = Exclude<Wire, 'ollama'>;

const APIS: Record<PiWire, string> = {
  chat: 'openai-completions',
  anthropic: 'anthropic-messages',
  responses: 'openai-responses',
  google: 'google-generative-ai',
  openrouter: 'openai-completions',
  'ollama-chat': 'openai-completions',
};

const BASE_PATHS: Record<PiWire, string> = {
  chat: '/v1',
  anthropic: '',
  responses: '/v1',
  google: '/v1beta',
  openrouter: '/api/v1',
  'ollama-chat': '/ollama/v1',
};

function agentFolder(home: string): string {
  return join(home, '.pi', 'agent');
}

/** Session files below a home, newest first. */
export async function piSessions(home: string): Promise<string[]> {
  const folder = join(agentFolder(home), 'sessions');
  if (!existsSync(folder)) return [];
  const names = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.jsonl'));
  const files = await Promise.all(
    names.map(async (name) => ({ path: join(folder, name), changedAt: (await stat(join(folder, name))).mtimeMs })),
  );
  return files.sort((a, b) => b.changedAt - a.changedAt).map((file) => file.path);
}

async function configure(options: PiOptions): Promise<void> {
  const model = {
    id: MODEL,
    name: 'Mock model',
    reasoning: true,
    input: ['text'],
    contextWindow: 200_000,
    maxTokens: 8_192,
    cost: { input: 1, output: 2, cacheRead: 0.1, cacheWrite: 1.25 },
  };
  const baseUrl = `${options.baseUrl}${BASE_PATHS[options.wire]}`;
  const provider = { baseUrl, api: APIS[options.wire], apiKey: 'mock-key', models: [model] };
  await mkdir(agentFolder(options.home), { recursive: true });
  const write = async (name: string, value: object): Promise<void> =>
    await writeFile(join(agentFolder(options.home), name), JSON.stringify(value));
  await write('models.json', { providers: { mock: provider } });
  await write('settings.json', { retry: { baseDelayMs: RETRY_DELAY_MS } });
}

/**
 * Runs the real pi agent for one prompt in its print mode, against a model server of ours. It runs as it is installed,
 * with its own tools and no questions; nothing but its network traffic to the outside world is switched off.
 */
export async function runPi(options: PiOptions): Promise<PiResult> {
  if (!existsSync(PI)) throw new Error('pi is not installed. Run: npm ci --prefix e2e/peers');
  await configure(options);
  const args = [PI, '--print', '--mode', options.mode ?? 'text', '--provider', 'mock', '--model', MODEL];
  if (options.continue === true) args.push('--continue');
  if (options.sessionFile !== undefined) args.push('--session', options.sessionFile);
  const result = await runProcess({
    command: process.execPath,
    args: [...args, '--', options.prompt],
    cwd: options.cwd,
    env: {
      PATH: process.env.PATH,
      HOME: options.home,
      PI_CODING_AGENT_DIR: agentFolder(options.home),
      PI_OFFLINE: '1',
      PI_TELEMETRY: '0',
    },
    timeoutMs: options.timeoutMs,
  });
  const sessionFile = options.sessionFile ?? (await piSessions(options.home))[0];
  if (sessionFile === undefined) {
    throw new Error(`pi wrote no session (exit code ${result.code})\n${result.stdout}\n${result.stderr}`);
  }
  return { ...result, sessionFile };
}
