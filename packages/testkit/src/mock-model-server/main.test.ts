import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { createTempWorkspace } from '../workspaces/temp-workspace.ts';
import { callModel } from './reference-client.ts';

const MAIN = fileURLToPath(new URL('main.ts', import.meta.url));

it('runs from the shell: prints its addresses, answers, logs without keys, ends on SIGTERM', async () => {
  await using workspace = await createTempWorkspace({ files: { 'script.json': '[{"text":"from the shell"}]' } });
  const log = workspace.at('requests.jsonl');
  const child = spawn(process.execPath, [MAIN, workspace.at('script.json'), '--log', log]);
  const [line] = await once(child.stdout, 'data');
  const addresses = JSON.parse(String(line)) as Record<string, string>;
  expect(addresses.openaiUrl).toBe(`${addresses.url}/v1`);
  expect((await callModel(addresses.anthropicUrl!, 'anthropic')).text).toBe('from the shell');
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([0, null]);
  const written = await workspace.read('requests.jsonl');
  expect(written).not.toContain('test-key');
  const entries = written
    .trimEnd()
    .split('\n')
    .map((entry) => JSON.parse(entry) as Record<string, unknown>);
  expect(entries).toMatchObject([
    { event: 'request', index: 0, wire: 'anthropic', body: { max_tokens: 1000 } },
    { event: 'reply', index: 0, status: 200, broken: false },
  ]);
});

it('says what is wrong and exits with 2', async () => {
  await using workspace = await createTempWorkspace({ files: { 'script.json': '[{"txt":"typo"}]' } });
  const child = spawn(process.execPath, [MAIN, workspace.at('script.json')]);
  const [message] = await once(child.stderr, 'data');
  expect(String(message)).toContain('txt');
  expect(await once(child, 'exit')).toEqual([2, null]);
});
