import { readFileSync } from 'node:fs';
import { createTempWorkspace, runBlack } from '@black-ide/testkit';
import { describe, expect, it } from 'vitest';

/** Writes the name of each module that is loaded to the file that the environment names. */
const HOOK = `import { appendFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
registerHooks({
  load(url, context, next) {
    if (url.startsWith('file:')) appendFileSync(process.env.LOADED, new URL(url).pathname + '\\n');
    return next(url, context);
  },
});
`;

/** The sources of what a run of the bundle loads. */
async function loadedBy(args: readonly string[]): Promise<string[]> {
  await using workspace = await createTempWorkspace({
    files: { 'package.json': '{}', 'tsconfig.json': '{}', 'a.ts': 'export const a = 1;\n' },
  });
  await using outside = await createTempWorkspace({ files: { 'hook.mjs': HOOK, loaded: '' } });
  const env = { NODE_OPTIONS: `--import=${outside.at('hook.mjs')}`, LOADED: outside.at('loaded') };
  const { code } = await runBlack({ args, cwd: workspace.path, env });
  expect(code).toBe(0);
  const modules = (await outside.read('loaded')).split('\n').filter((path) => path.endsWith('.mjs'));
  const chunks = modules.filter((path) => path.includes('/packages/cli/dist/'));
  return chunks.flatMap((path) => JSON.parse(readFileSync(`${path}.map`, 'utf8')).sources as string[]);
}

describe('what a run loads', () => {
  it('INT-19 one that asks nothing about code loads nothing of what understands it, however it could be served', async () => {
    const sources = await loadedBy(['-p', 'hi', '--model', 'offline']);
    // It was found out that there is a language server and a debugger.
    expect(sources.some((path) => path.endsWith('/intel/src/lsp/servers/server-finder.ts'))).toBe(true);
    const heavy =
      /web-tree-sitter|acorn|\/ws\/|intel\/src\/(index|parsing|graph|files|rpc|lsp\/(client|diagnostics|queries)|debugger\/(debugger|node-adapter\/node-adapter))/;
    expect(sources.filter((path) => heavy.test(path))).toEqual([]);
  });
});
