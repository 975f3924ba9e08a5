import { createRequire } from 'node:module';
import { dirname, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { lineOf, missingPlaces } from './fixtures/places.ts';
import { Session } from './fixtures/session.ts';
import { ripgrepPath, toolsOver } from './fixtures/tiny-tools.ts';

describe('larger trees', () => {
  const require = createRequire(import.meta.url);
  const repository = resolve(import.meta.dirname, '../../../../..');

  it.each([
    ['yaml', 'where is an anchor name validated?', /^browser\/dist\/doc\/anchors\.js$/, 'function anchorIsValid'],
    ['yaml', "where is 'Map keys must be unique' thrown?", /resolve-block-map\.js$/, 'Map keys must be unique'],
    ['yaml', 'where is the class Composer defined?', /compose\/composer\.(?:js|d\.ts)$/, 'class Composer'],
    ['diff', 'where are patches parsed', /patch\/parse\.js$/, 'function parsePatch'],
    ['diff', 'find `splitLines`', /patch\/create\.js$/, 'function splitLines'],
  ])('IDE-28 in the package %s: %s', async (name, says, path, text) => {
    const root = packageRoot(require.resolve(name), name);
    const session = new Session(toolsOver(root, await ripgrepPath(), { rg: ['--no-ignore'] })).say(says);
    const answer = await session.answer();
    const [, found, line] = /^`([^`]+):(\d+)`/m.exec(answer) ?? [];
    expect(found).toMatch(path);
    expect(Number(line)).toBe(lineOf(root, found!, text));
    expect(missingPlaces(answer, root)).toEqual([]);
    expect(session.turns).toBeLessThanOrEqual(8);
  });

  it('IDE-28 in the bundled example: finds where the note title is validated, and the test that fails', async () => {
    const root = resolve(repository, 'examples/notes-app');
    const tools = toolsOver(root, await ripgrepPath());
    const where = await new Session(tools).say('Where is the note title validated?').answer();
    const line = lineOf(root, 'src/validate-title.ts', 'export function validateTitle');
    expect(where).toMatch(new RegExp(`^\`src/validate-title\\.ts:${line}\``));
    const tests = await new Session(tools).say('run the tests and read the failure').answer();
    expect(tests).toMatch(
      /^1 test failed[\s\S]*80 characters[\s\S]*`src\/validate-title\.ts:\d+`, named in the failure/,
    );
    expect(missingPlaces(tests, root)).toEqual([]);
  });

  it.each([
    ['where is defineTool defined', 'packages/engine/src/tools/define-tool.ts', 'export function defineTool'],
    [
      'where is the system prompt built',
      'packages/engine/src/context/system-prompt.ts',
      'export function systemPrompt',
    ],
    ['explain PromptConverter', 'packages/engine/src/llm/to-prompt.ts', 'export class PromptConverter'],
  ])('IDE-28 in this repository: %s', async (says, path, text) => {
    const session = new Session(toolsOver(repository, await ripgrepPath())).say(says);
    const answer = await session.answer();
    expect(answer).toContain(`\`${path}:${lineOf(repository, path, text)}\``);
    expect(missingPlaces(answer, repository)).toEqual([]);
    expect(answer.split('\n').length).toBeLessThan(70);
  });

  function packageRoot(file: string, name: string): string {
    let folder = dirname(file);
    while (!folder.endsWith(`node_modules/${name}`)) folder = dirname(folder);
    return folder;
  }
});
