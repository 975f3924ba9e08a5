import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { temporaryHome } from '@black-ide/workspace';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { main } from '../main.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { TestWorld } from '../testing/test-world.ts';

const GUARDED =
  'class A {\n  void end() {\n    if (foo.bar != null) foo.bar.dispose();\n    if (a != null) b.dispose();\n  }\n}\n';

let cwd = '';
const home = temporaryHome();

afterAll(() => home.dispose());

beforeEach(() => {
  cwd = temporaryFolder();
  for (const [path, text] of Object.entries({
    'a.dart': GUARDED,
    'src/b.ts': 'free(1);\nfree(2, 3);\n// free(4)\n',
    'src/c.py': 'free(5)\n',
  })) {
    mkdirSync(dirname(join(cwd, path)), { recursive: true });
    writeFileSync(join(cwd, path), text);
  }
});

/** With the engine itself: what is written has to be written. */
async function run(...argv: string[]): Promise<{ code: number; out: string; err: string }> {
  const world = new TestWorld({ cwd, env: { BLACKIDE_HOME: home.path, HOME: home.path } });
  world.loadEngine = () => import('@black-ide/engine');
  const code = await main(argv, world);
  return { code, out: world.stdout.text, err: world.stderr.text };
}

const black = (...argv: string[]) => run('ast', ...argv);

const text = (path: string) => readFileSync(join(cwd, path), 'utf8');

describe('black ast', () => {
  it('INT-23 prints each place with what was captured', async () => {
    const { code, out, err } = await black('if ($X != null) $X.dispose()', '--lang', 'dart');
    expect(out).toBe('a.dart:3:5: if (foo.bar != null) foo.bar.dispose(); [$X = foo.bar]\n');
    expect(err).toBe('1 match in 1 file\n');
    expect(code).toBe(0);
  });

  it('INT-26 searches the paths that are named, and prints JSON', async () => {
    const { code, out } = await black('free($X)', 'src', '--json');
    expect(JSON.parse(out)).toEqual([
      {
        path: 'src/b.ts',
        language: 'typescript',
        start: { line: 1, column: 1 },
        end: { line: 1, column: 8 },
        line: 'free(1);',
        captures: [{ name: 'X', text: '1' }],
      },
      expect.objectContaining({ path: 'src/c.py', language: 'python' }),
    ]);
    expect(code).toBe(0);
  });

  it('says that nothing matches, with exit code 1', async () => {
    expect(await black('keep($X)')).toMatchObject({ code: 1, out: '', err: 'Nothing matches in 3 files.\n' });
  });

  it.each([
    [['if (', '--lang', 'ts'], /The pattern is no code of typescript: .*it was tried as a statement/],
    [['free($X)', '--lang', 'cobol'], /"cobol" cannot be searched/],
    [['free($X)', 'gone'], /gone does not exist/],
    [['free($X)', '../..'], /outside the working folder/],
    [['free($X)', '--rewrite', 'keep($Y)'], /uses \$Y/],
    [['free($X)', '--apply'], /--apply writes a rewrite/],
    [[' '], /The pattern is empty/],
  ])('INT-25 ends with exit code 2 and the reason: %j', async (argv, reason) => {
    const { code, out, err } = await black(...argv);
    expect(err).toMatch(reason);
    expect([code, out]).toEqual([2, '']);
  });

  it('INT-27 prints the difference of a rewrite, and writes nothing', async () => {
    const { code, out, err } = await black('free($X)', 'src', '--rewrite', 'release($X)');
    expect(out).toBe(
      [
        '--- a/src/b.ts',
        '+++ b/src/b.ts',
        '@@ -1,3 +1,3 @@',
        '-free(1);',
        '+release(1);',
        ' free(2, 3);',
        ' // free(4)',
        '--- a/src/c.py',
        '+++ b/src/c.py',
        '@@ -1,1 +1,1 @@',
        '-free(5)',
        '+release(5)',
        '',
      ].join('\n'),
    );
    expect(err).toBe('2 places in 2 files would change. --apply writes it.\n');
    expect([code, text('src/c.py')]).toEqual([0, 'free(5)\n']);
  });

  it('INT-29 writes it with --apply, and black undo takes it back', async () => {
    const { code, err } = await black('free($X)', 'src', '--rewrite', 'release($X)', '--apply');
    expect(err).toContain('changed');
    expect([code, text('src/b.ts'), text('src/c.py')]).toEqual([
      0,
      'release(1);\nfree(2, 3);\n// free(4)\n',
      'release(5)\n',
    ]);
    const session = /black undo (\w+) takes it back/.exec(err)?.[1];
    expect((await run('undo', session!)).code).toBe(0);
    expect(text('src/c.py')).toBe('free(5)\n');
  });

  it('removes with an empty rewrite', async () => {
    expect((await black('free($X)', 'src/c.py', '--rewrite', '', '--apply')).code).toBe(0);
    expect(text('src/c.py')).toBe('\n');
  });

  it.each([
    [['free($X)', '--rewrite', 'free(($X'], /does not parse in src\/b\.ts/],
    [['keep($X)', '--rewrite', 'free($X)'], /Nothing matches the pattern/],
  ])('INT-30 ends with exit code 1 where there is nothing to write: %j', async (argv, reason) => {
    const { code, err } = await black(...argv, '--apply');
    expect(err).toMatch(reason);
    expect([code, text('src/b.ts')]).toEqual([1, 'free(1);\nfree(2, 3);\n// free(4)\n']);
  });
});
