import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parsePatch } from './parse-patch.ts';

const why = (patch: string) => {
  const parsed = parsePatch(patch);
  return parsed.ok ? JSON.stringify(parsed.files) : parsed.message;
};

describe('parsePatch', () => {
  it('IDE-52 reads the envelope: add, update, move, delete, several files', () => {
    const patch = [
      'Here it is:',
      '*** Begin Patch',
      '*** Add File: new/a.txt',
      '+one',
      '+',
      '*** Update File: b.ts',
      '*** Move to: c.ts',
      '@@ class A',
      '@@ f()',
      ' x',
      '-y',
      '+z',
      '',
      ' after',
      '*** End of File',
      '*** Delete File: d.ts',
      '*** End Patch',
      'done',
    ].join('\n');
    expect(parsePatch(patch)).toMatchObject({
      ok: true,
      files: [
        { kind: 'add', path: 'new/a.txt', content: 'one\n\n' },
        { kind: 'update', path: 'b.ts', moveTo: 'c.ts', hunks: [{ anchors: ['class A', 'f()'], atEnd: true }] },
        { kind: 'delete', path: 'd.ts' },
      ],
    });
  });

  it('IDE-52 reads diffs of git: new, deleted, renamed, quoted names, no newline at the end', () => {
    const patch = [
      'diff --git a/old.ts b/new.ts',
      'similarity index 90%',
      'rename from old.ts',
      'rename to new.ts',
      '--- a/old.ts',
      '+++ b/new.ts',
      '@@ -1 +1 @@ function f() {',
      '-a',
      '\\ No newline at end of file',
      '+b',
      'diff --git "a/\\303\\244.txt" "b/\\303\\244.txt"',
      'new file mode 100755',
      '--- /dev/null',
      '+++ "b/\\303\\244.txt"',
      '@@ -0,0 +1 @@',
      '+x',
      'diff --git a/gone b/gone',
      'deleted file mode 100644',
      '--- a/gone',
      '+++ /dev/null',
      '@@ -1 +0,0 @@',
      '--- x',
      '',
    ].join('\n');
    expect(parsePatch(patch)).toMatchObject({
      ok: true,
      files: [
        { kind: 'update', path: 'old.ts', moveTo: 'new.ts', hunks: [{ openSides: { old: true, new: false } }] },
        { kind: 'add', path: 'ä.txt', content: 'x\n', executable: true },
        { kind: 'delete', path: 'gone', hunks: [{ lines: [{ sign: '-', text: '-- x' }] }] },
      ],
    });
    expect(parsePatch('--- x.c\t2026-01-01\n+++ x.c\t2026-01-02\n@@ -1 +1 @@\n-a\n+b\n')).toMatchObject({
      files: [{ path: 'x.c' }],
    });
    expect(parsePatch('```diff\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n```')).toMatchObject({ files: [{ path: 'x' }] });
    expect(parsePatch('diff --git a/e b/e\nnew file mode 100644\n')).toMatchObject({
      files: [{ kind: 'add', path: 'e' }],
    });
  });

  it('IDE-52 says what is wrong', () => {
    expect(why('')).toContain('names no file');
    expect(why('*** Begin Patch\n*** Update File: a\n@@\n-a\n+b')).toContain('cut off');
    expect(why('*** Begin Patch\n*** Update File: a\n@@\nnope\n*** End Patch')).toContain(
      'Line 4 of the patch, “nope”',
    );
    expect(why('*** Begin Patch\n*** Rename File: a\n*** End Patch')).toContain('begins no section');
    expect(why('*** Begin Patch\n*** Add File: a\nx\n*** End Patch')).toContain('begins with `+`');
    expect(why('*** Begin Patch\n*** Add File: a\n+x\n*** Delete File: a\n*** End Patch')).toContain('twice');
    expect(why('diff --git a/x b/x\nBinary files a/x and b/x differ')).toContain('binary');
    expect(why('@@ -1 +1 @@\n-a\n+b')).toContain('before any');
  });

  it('IDE-52 never throws, whatever it is given', () => {
    const part = fc.constantFrom(
      '*** Begin Patch',
      '*** Update File: a',
      '*** End Patch',
      '@@',
      '@@ -1 +1 @@',
      '--- a/x',
      '+++ b/x',
      '-a',
      '+b',
      ' c',
      '',
      'diff --git a/x b/x',
      '\\ No',
      '"\\3',
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(part, fc.string()), { maxLength: 20 }), (lines) => {
        expect(typeof parsePatch(lines.join('\n')).ok).toBe('boolean');
      }),
    );
  });
});
