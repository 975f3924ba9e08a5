import { createMockModelServer, createTempWorkspace, type Script, UNPLANNED } from '@black-ide/testkit';
import { SecretMask } from '@black-ide/workspace';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ScriptedSession } from '../testing/scripted-session.ts';

const KEY = 'sk-ant-api03-Zm9vYmFy-Q2F0c0FuZERvZ3M_0123456789';
const FORMS = [
  KEY,
  encodeURIComponent(KEY),
  Buffer.from(KEY).toString('base64').slice(0, 40),
  Buffer.from(`x${KEY}`).toString('base64').slice(4, 44),
  Buffer.from(KEY).toString('hex'),
];

async function begin(script: Script, files: Record<string, string>) {
  const home = await createTempWorkspace({});
  const workspace = await createTempWorkspace({ files });
  const server = await createMockModelServer(script);
  const env = { OPENAI_API_KEY: KEY, OPENAI_BASE_URL: server.openaiUrl, PATH: process.env.PATH, ...UNPLANNED };
  return ScriptedSession.begin({ home, workspace, server }, { env });
}

const call = (name: string, args: object) => ({ toolCalls: [{ name, args: args as never }] });

/** Everything a session leaves behind: files of the state folder, events, exports, and what the model was sent. */
async function traces(session: Awaited<ReturnType<typeof begin>>): Promise<Record<string, string>> {
  const { engine, sessionId, world } = session;
  const found: Record<string, string> = { events: JSON.stringify(session.events) };
  for (const format of ['html', 'md', 'json'] as const) {
    const exported = await engine.execute({ type: 'exportSession', session: sessionId, format });
    if (!exported.ok) throw new Error(exported.error.message);
    found[`export ${format}`] = exported.value.content;
  }
  for (const [path, entry] of Object.entries(await world.home.snapshot())) {
    // What undo needs are the files' own bytes, for nobody but their owner to read.
    if (path.startsWith('checkpoints/')) continue;
    if (entry.kind === 'file') found[path] = entry.bytes.toString('latin1');
  }
  found.requests = JSON.stringify(world.server.requests.map(({ body }) => body));
  return found;
}

function expectClean(found: Record<string, string>): void {
  for (const [where, text] of Object.entries(found)) {
    for (const form of FORMS) expect([where, text.includes(form)]).toEqual([where, false]);
  }
}

describe('keys in a session', () => {
  it('IDE-66 no file, event, export or request holds one: from files, commands, large outputs, prompts, answers', async () => {
    const encoded = Buffer.from(`x${KEY}`).toString('base64');
    await using session = await begin(
      [
        call('read_file', { path: 'app.env' }),
        call('run_command', { command: 'cat app.env encoded.txt' }),
        call('run_command', { command: 'for i in $(seq 2000); do cat app.env encoded.txt; done' }),
        call('grep_search', { pattern: 'API' }),
        call('write_file', { path: 'copy.txt', content: `key ${KEY}` }),
        { text: `The key is ${KEY}, isn't it?` },
      ],
      { 'app.env': `API=${KEY}\n`, 'encoded.txt': `${encoded}\n${Buffer.from(KEY).toString('hex')}\n` },
    );
    await session.run(`My key is ${KEY}.`);
    const found = await traces(session);
    expect(Object.keys(found).some((path) => /\.d\/.*\.txt$/.test(path))).toBe(true);
    expectClean(found);
  });

  it('IDE-66 a file with a secret is edited to the byte, and the secret stays in it and nowhere else', async () => {
    const mark = new SecretMask([KEY]).text(KEY);
    const jwt = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3In0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9P';
    await using session = await begin(
      [
        call('read_file', { path: 'app.env' }),
        call('edit_file', { path: 'app.env', old_string: `API=${mark}`, new_string: `API_KEY=${mark}` }),
        call('edit_file', { path: 'app.env', old_string: 'MODE=dev', new_string: 'MODE=[redacted:000000]' }),
        { text: 'Done.' },
      ],
      { 'app.env': `# ours\r\nAPI=${KEY}\r\nTOKEN=${jwt}\r\nMODE=dev\r\n` },
    );
    await session.run('Rename it.');
    expect(await session.world.workspace.read('app.env')).toBe(
      `# ours\r\nAPI_KEY=${KEY}\r\nTOKEN=${jwt}\r\nMODE=dev\r\n`,
    );
    const found = await traces(session);
    expect(found.events).toContain('stands for a secret');
    expectClean(found);
    for (const [where, text] of Object.entries(found)) expect([where, text.includes(jwt)]).toEqual([where, false]);
  });

  it('IDE-66 property: a key that is streamed in pieces is in no event, taken one by one or all together', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ maxLength: 20 }), fc.string({ maxLength: 20 }), async (before, after) => {
        await using session = await begin([{ text: `${before}${KEY}${after}.`, split: 'awkward' }], {});
        await session.run('Say it.');
        const deltas = session.ofType('TextDelta').map(({ text }) => text);
        expect(deltas.join('')).not.toContain(KEY);
        expectClean(await traces(session));
      }),
      { numRuns: 5 },
    );
  });
});
