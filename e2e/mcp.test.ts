import { cp, rm, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { BLACK_BIN, blackEnvironment, createTempWorkspace, startBlack, trustFolder } from '@black-ide/testkit';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { describe, expect, it } from 'vitest';

const NOTES_APP = join(import.meta.dirname, '../examples/notes-app');

interface Answer {
  isError?: boolean;
  content: { type: string; text: string }[];
  structuredContent: Record<string, unknown>;
}

/** The official client over a real `black mcp` in a copy of the example, with TypeScript's own language server. */
async function connect({ trusted = false } = {}) {
  const workspace = await createTempWorkspace({});
  const home = await createTempWorkspace({});
  await cp(NOTES_APP, workspace.path, { recursive: true });
  if (trusted) await trustFolder(home.path, workspace.path);
  const PATH = [join(import.meta.dirname, '../node_modules/.bin'), process.env.PATH].join(delimiter);
  const env = Object.entries(blackEnvironment(home.path, { env: { PATH } })).filter(
    (entry): entry is [string, string] => !!entry[1],
  );
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [BLACK_BIN, 'mcp'],
    cwd: workspace.path,
    env: Object.fromEntries(env),
    stderr: 'pipe',
  });
  let stderr = '';
  transport.stderr?.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(transport);
  return {
    client,
    workspace,
    stderr: () => stderr,
    ask: async (name: string, args: Record<string, unknown>) =>
      (await client.callTool({ name, arguments: args })) as unknown as Answer,
    [Symbol.asyncDispose]: async () => {
      await client.close();
      await home.dispose();
      await workspace.dispose();
    },
  };
}

describe('black mcp', () => {
  it('INT-6 offers four tools that only read, each with schemas of what it takes and answers', async () => {
    await using world = await connect();
    const { tools } = await world.client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(['code_graph', 'codebase_search', 'repo_map', 'ast_grep']);
    for (const tool of tools) {
      expect(tool.annotations).toMatchObject({ readOnlyHint: true, destructiveHint: false, openWorldHint: false });
      expect(tool.inputSchema.type).toBe('object');
      expect(tool.outputSchema?.type).toBe('object');
    }
    expect(world.client.getInstructions()).toContain(world.workspace.path);
    expect(world.stderr()).toBe('');
  });

  it('INT-6 answers from graph, index and map, as text and as data', async () => {
    await using world = await connect();
    const graph = await world.ask('code_graph', { action: 'callers', symbol: 'validateTitle' });
    expect(graph.content[0]!.text).toMatch(/src\/notebook\.ts:\d+ {2}in Notebook\.\w+ {2}\(import/);
    expect(graph.structuredContent).toMatchObject({
      status: 'ok',
      complete: true,
      symbol: { symbol: 'validateTitle', path: 'src/validate-title.ts' },
    });
    const search = await world.ask('codebase_search', { query: 'where is the title of a note validated', limit: 3 });
    expect(search.structuredContent.hits).toHaveLength(3);
    expect(search.content[0]!.text).toMatch(/^1\. src\/validate-title\.ts:\d+-\d+/);
    const map = await world.ask('repo_map', { tokens: 300, task: 'change how tags are parsed' });
    expect(map.content[0]!.text).toContain('parseTags');
    expect(map.structuredContent.tokens).toBeLessThanOrEqual(300);
    const none = await world.ask('code_graph', { symbol: 'validateTitel' });
    expect(none.structuredContent).toMatchObject({ status: 'unknown' });
    expect(none.content[0]!.text).toContain('validateTitle');
  });

  it('INT-22 finds code by its shape, and says of a pattern that is no code why', async () => {
    await using world = await connect();
    const found = await world.ask('ast_grep', { pattern: 'throw new $E($$$ARGS)', paths: ['src'], limit: 1 });
    expect(found.content[0]!.text).toMatch(/^src\/\w[\w-]*\.ts:\d+:\d+: .*throw new /);
    const { found: count, matches } = found.structuredContent as { found: number; matches: object[] };
    expect(count).toBeGreaterThan(1);
    expect(matches).toHaveLength(1);
    expect(found.content[0]!.text).toContain(`[the first 1 of ${count}]`);
    const none = await world.ask('ast_grep', { pattern: 'nobody.calls($THIS)' });
    expect(none.structuredContent).toEqual({ found: 0, matches: [] });
    const broken = await world.ask('ast_grep', { pattern: 'if ($X', language: 'typescript' });
    expect(broken).toMatchObject({
      isError: true,
      content: [{ text: expect.stringMatching(/The pattern is no code/) }],
    });
    const outside = await world.ask('ast_grep', { pattern: '$X()', paths: ['../'] });
    expect(outside.isError).toBe(true);
  });

  it('INT-15 INT-20 asks language servers too where one may be started, and knows what others change meanwhile', async () => {
    await using world = await connect({ trusted: true });
    const { tools } = await world.client.listTools();
    expect(tools.find(({ name }) => name === 'lsp')?.annotations).toMatchObject({ readOnlyHint: true });
    const definition = await world.ask('lsp', {
      operation: 'definition',
      path: 'src/notebook.ts',
      symbol: 'validateTitle',
    });
    expect(definition.structuredContent.items).toMatchObject([{ path: 'src/validate-title.ts' }]);
    const diagnostics = () => world.ask('lsp', { operation: 'diagnostics', path: 'src/notebook.ts' });
    expect(await diagnostics()).toMatchObject({ structuredContent: { items: [] } });
    // Once the index is made, its watch follows the disk.
    await world.ask('code_graph', { symbol: 'validateTitle' });
    await world.workspace.write('src/validate-title.ts', 'export const other = 1;\n');
    const told = async () => (await diagnostics()).content[0]!.text;
    await expect.poll(told, { timeout: 20_000 }).toContain("no exported member 'validateTitle'");
    expect(await world.ask('lsp', { operation: 'hover' })).toMatchObject({
      isError: true,
      content: [{ text: 'The operation hover needs path.' }],
    });
    expect(world.stderr()).toBe('');
  });

  it('INT-4 keeps fresh: what is written, renamed and deleted shows in the next answers', async () => {
    await using world = await connect();
    await world.ask('code_graph', { symbol: 'validateTitle' });
    const path = join(world.workspace.path, 'src/fresh.ts');
    await writeFile(
      path,
      "import { validateTitle } from './validate-title.ts';\nexport function freshly(): void {\n  validateTitle('x');\n}\n",
    );
    const callers = async () =>
      (await world.ask('code_graph', { action: 'callers', symbol: 'validateTitle' })).content[0]!.text;
    await expect.poll(callers, { timeout: 10_000 }).toContain('src/fresh.ts:3  in freshly');
    await rm(path);
    await expect.poll(callers, { timeout: 10_000 }).not.toContain('src/fresh.ts');
  });

  it('INT-6 refuses what lies outside the folder, and arguments that make no sense', async () => {
    await using world = await connect();
    for (const args of [{ symbol: '/etc/passwd:1' }, { symbol: '../secret.ts' }]) {
      const answer = await world.ask('code_graph', args);
      expect(answer).toMatchObject({ isError: true });
      expect(answer.content[0]!.text).toContain('outside the working folder');
    }
    expect(await world.ask('codebase_search', { query: 'x', path: '../..' })).toMatchObject({ isError: true });
    expect(await world.ask('repo_map', { files: ['/etc/hosts'] })).toMatchObject({ isError: true });
    expect(await world.ask('code_graph', { action: 'callers' })).toMatchObject({ isError: true });
    const wrong = await world.ask('codebase_search', { query: 'x', limit: 'many' }).catch((error: Error) => error);
    expect(wrong instanceof Error || wrong.isError).toBe(true);
  });

  it('INT-6 writes nothing but the protocol to stdout, and ends when its input does', async () => {
    await using workspace = await createTempWorkspace({ files: { 'a.ts': 'export function one(): void {}\n' } });
    await using home = await createTempWorkspace({});
    await using running = await startBlack({ args: ['mcp'], cwd: workspace.path, home: home.path, stdin: 'open' });
    const say = (message: object) => running.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
    const clientInfo = { name: 'raw', version: '1' };
    say({ id: 1, method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo } });
    await running.waitForOutput(/"id":1\b/);
    say({ method: 'notifications/initialized' });
    running.stdin.write('this is no JSON\n');
    say({ id: 2, method: 'tools/call', params: { name: 'code_graph', arguments: { symbol: 'one' } } });
    await running.waitForOutput(/"id":2\b/);
    running.stdin.end();
    const { stdout, code, signal } = await running.result;
    expect({ code, signal }).toEqual({ code: 0, signal: null });
    for (const line of stdout.trimEnd().split('\n')) expect(JSON.parse(line)).toMatchObject({ jsonrpc: '2.0' });
  });

  it.each(['SIGTERM', 'SIGINT'] as const)('INT-6 ends on %s, also while it indexes', async (signal) => {
    const files = Object.fromEntries(
      Array.from({ length: 400 }, (_, n) => [`f${n}.ts`, `export const f${n} = ${n};\n`]),
    );
    await using workspace = await createTempWorkspace({ files });
    await using home = await createTempWorkspace({});
    await using running = await startBlack({ args: ['mcp'], cwd: workspace.path, home: home.path, stdin: 'open' });
    const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'raw', version: '1' } };
    running.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params })}\n`);
    await running.waitForOutput(/"id":1\b/);
    running.kill(signal);
    expect(await running.result).toMatchObject({ code: 0, signal: null, stderr: '' });
  });

  it('INT-6 says what is wrong with a folder that is none', async () => {
    await using workspace = await createTempWorkspace({ files: { file: '' } });
    await using home = await createTempWorkspace({});
    for (const folder of ['nowhere', 'file']) {
      await using running = await startBlack({
        args: ['mcp', folder],
        cwd: workspace.path,
        home: home.path,
        stdin: 'open',
      });
      const { code, stderr, stdout } = await running.result;
      expect({ code, stdout }, folder).toEqual({ code: 1, stdout: '' });
      expect(stderr).toContain(folder);
    }
  });
});
