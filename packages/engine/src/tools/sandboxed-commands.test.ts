import { chmodSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { textOf } from '@black-ide/protocol';
import { createMockModelServer, createTempWorkspace, type Script } from '@black-ide/testkit';
import { afterEach, describe, expect, it } from 'vitest';
import type { EngineOptions } from '../engine-api.ts';
import { ScriptedSession } from '../testing/scripted-session.ts';

let server: Server | undefined;
afterEach(async () => {
  if (server) await new Promise((resolve) => server!.close(resolve));
  server = undefined;
});

/** Calls, each in a turn of its own, then the end. */
function calls(...each: Record<string, string | boolean>[]): Script {
  return [...each.map((args) => ({ toolCalls: [{ name: 'run_command', args }] })), { text: 'done' }];
}

async function session(script: Script, options: Partial<EngineOptions> = {}, settings?: object) {
  const home = await createTempWorkspace(settings ? { files: { 'settings.json': JSON.stringify(settings) } } : {});
  const workspace = await createTempWorkspace({ files: { 'a.txt': 'one\n' }, git: true });
  const model = await createMockModelServer(script, { allowMissingKey: true });
  return ScriptedSession.begin({ home, workspace, server: model }, options);
}

interface Result {
  text: string;
  details: Record<string, unknown>;
}

/** The results of the commands. */
function results(run: Pick<Awaited<ReturnType<typeof session>>, 'ofType'>): Result[] {
  return run.ofType('ToolFinished').map(({ content, details }) => ({
    text: textOf(content),
    details: details as Record<string, unknown>,
  }));
}

describe('run_command in the sandbox', () => {
  it('IDE-29 IDE-65 a command that is proven to read only is held to it, should the proof be wrong', async () => {
    const home = await createTempWorkspace({});
    const workspace = await createTempWorkspace({ files: { 'a.txt': 'one\n' } });
    await workspace.write('bin/ls', '#!/bin/sh\necho evil > made.txt\n');
    chmodSync(`${workspace.path}/bin/ls`, 0o755);
    const model = await createMockModelServer(calls({ command: 'ls' }), { allowMissingKey: true });
    const world = { home, workspace, server: model };
    const env = { ...ScriptedSession.environment(world), PATH: `${workspace.path}/bin:${process.env.PATH}` };
    await using run = await ScriptedSession.begin(world, { env });
    await run.run('go');
    expect(results(run)[0]?.text).toContain('ead-only file system');
    expect(Object.keys(await workspace.snapshot())).not.toContain('made.txt');
  });

  it('IDE-65 is contained, and told what was blocked, by which rule, and how it can be allowed', async () => {
    await using run = await session(
      calls(
        { command: 'echo fine > new.txt; cat a.txt' },
        { command: 'git config user.name evil' },
        { command: `node -e "fetch('http://blocked.example.org').catch(() => process.exit(1))"` },
        { command: 'mkdir -p x/.idea && echo y > x/.idea/z' },
      ),
    );
    await run.run('go');
    const [plain, config, network, made] = results(run);
    expect(plain).toMatchObject({ text: expect.stringMatching(/^one\n\[exit code 0/), details: { exitCode: 0 } });
    expect(plain?.details).not.toHaveProperty('unsandboxed');
    expect(await run.world.workspace.read('new.txt')).toBe('fine\n');
    expect(config?.text).toMatch(/\[sandbox: read-only here: .*\.git\/config.*unsandboxed: true/);
    expect(network?.text).toMatch(/\[sandbox: blocked blocked\.example\.org:80 \(.*"sandbox\.allowedHosts"/);
    expect(network?.details).toMatchObject({ blockedHosts: ['blocked.example.org:80'] });
    expect(made?.text).toMatch(/\[sandbox: taken out of the workspace: x\/\.idea .*write_file asks/);
  });

  it('IDE-65 the hosts of the settings are reached', async () => {
    server = createServer((_request, response) => response.end('hello'));
    await new Promise<void>((resolve) => server!.listen(0, '127.0.0.1', resolve));
    const host = `web.test:${(server.address() as AddressInfo).port}`;
    const command = `node -e "fetch('http://${host}').then((r) => r.text()).then(console.log)"`;
    const resolve = async () => [{ address: '127.0.0.1', family: 4 }];
    await using run = await session(calls({ command }), { sandbox: { resolve } }, { 'sandbox.allowedHosts': [host] });
    await run.run('go');
    expect(results(run)[0]?.text).toMatch(/^hello\n/);
  });

  it('IDE-65 in the background as well, where a later command reaches it', async () => {
    const serve = `node -e "require('http').createServer((q, r) => r.end('served')).listen(8123, () => console.log('up'))"`;
    const ask = `node -e "const t = () => fetch('http://127.0.0.1:8123').then((r) => r.text()).then(console.log).catch(() => setTimeout(t, 20)); t()"`;
    await using run = await session(calls({ command: serve, background: true }, { command: ask }));
    await run.run('go');
    const [started, asked] = results(run);
    expect(started?.details).not.toHaveProperty('unsandboxed');
    expect(asked?.text).toMatch(/^served\n/);
  });

  it('IDE-65 leaving it is asked for, said on the question and on the result, and no yes in advance counts', async () => {
    const command = 'echo x > "$OUT" && echo out';
    await using run = await session(calls({ command, unsandboxed: true }), { asks: 'wait' });
    const done = run.run('go');
    await run.heard((event) => event.type === 'RequestOpened');
    const { request } = run.ofType('RequestOpened')[0]!;
    expect(request.payload).toMatchObject({ unsandboxed: 'the call asks for it' });
    const { sessionId } = run;
    await run.engine.execute({ type: 'respond', sessionId, requestId: request.id, value: 'allow', by: 'test' });
    await done;
    expect(results(run)[0]?.details).toMatchObject({ unsandboxed: true });
  });

  it('IDE-65 where there is none it is asked for as ever, and told', async () => {
    await using run = await session(calls({ command: 'cat a.txt' }, { command: 'touch b.txt' }), {
      sandbox: { off: true },
      autoApprove: false,
      asks: 'refuse',
    });
    await run.run('go');
    const [read, refused] = results(run);
    expect(read?.details).toMatchObject({ exitCode: 0, unsandboxed: true });
    expect(refused?.text).toContain('Refused');
    await expect(run.world.workspace.read('b.txt')).rejects.toThrow();
  });

  it('IDE-65 the settings switch it off', async () => {
    await using run = await session(calls({ command: 'echo x > .gitattributes' }), {}, { sandbox: 'off' });
    await run.run('go');
    expect(results(run)[0]?.details).toMatchObject({ unsandboxed: true });
    expect(await run.world.workspace.read('.gitattributes')).toBe('x\n');
  });
});
