import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, sep } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PathGuard } from './path-guard.ts';
import type { ResolvedPath } from './resolved-path.ts';

let base: string;
let root: string;
let guard: PathGuard;

beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'guard-')));
  root = join(base, 'app');
  mkdirSync(join(root, 'src'), { recursive: true });
  mkdirSync(join(base, 'app_evil'));
  writeFileSync(join(base, 'app_evil', 'x'), 'evil');
  writeFileSync(join(root, 'src', 'a.ts'), 'a');
  guard = new PathGuard({ root });
});

afterEach(() => rmSync(base, { recursive: true, force: true }));

function resolved(path: string, by = guard): ResolvedPath {
  const result = by.resolve(path, 'write');
  if (!result.ok) throw new Error(`refused: ${result.message}`);
  return result;
}

function code(path: string, by = guard, access: 'read' | 'write' = 'write'): string {
  const result = by.resolve(path, access);
  return result.ok ? 'ok' : result.code;
}

describe('PathGuard', () => {
  it('IDE-66 withholds the keys even where they lie inside the workspace, by any name', () => {
    const keys = join(root, 'src', 'keys.json');
    writeFileSync(keys, '{}');
    symlinkSync(keys, join(root, 'link'));
    const withholding = new PathGuard({ root, withhold: [keys] });
    for (const path of [keys, 'src/keys.json', 'src/../src/KEYS.json', 'link']) {
      expect(code(path, withholding, 'read')).toBe('path_withheld');
      expect(code(path, withholding)).toBe('path_withheld');
    }
    expect(code('src/a.ts', withholding)).toBe('ok');
  });

  it('IDE-53 resolves relative and absolute paths to one file', () => {
    const expected = {
      absolute: join(root, 'src/a.ts'),
      real: join(root, 'src/a.ts'),
      relative: 'src/a.ts',
      exists: true,
    };
    expect(resolved('src/a.ts')).toMatchObject(expected);
    expect(resolved('./src/../src/a.ts')).toMatchObject(expected);
    expect(resolved(join(root, 'src/a.ts'))).toMatchObject(expected);
    expect(resolved('.')).toMatchObject({ real: root, relative: '.' });
  });

  it('IDE-53 resolves what does not exist yet', () => {
    expect(resolved('new/deep/file.ts')).toMatchObject({
      real: join(root, 'new/deep/file.ts'),
      relative: 'new/deep/file.ts',
      exists: false,
    });
  });

  it.each([
    ['', 'path_empty'],
    ['  ', 'path_empty'],
    ['src/a\0.ts', 'path_nul'],
    ['~', 'path_home'],
    ['~/x', 'path_home'],
    ['~root/.ssh/id', 'path_home'],
    ['\\\\host\\share\\x', 'path_network'],
    ['//host/share/x', 'path_network'],
    ['\\??\\UNC\\host\\share', 'path_network'],
    ['\\\\?\\C:\\x', 'path_network'],
    ['\\\\.\\pipe\\x', 'path_network'],
    ['C:\\Users\\unicorn', 'path_foreign'],
    ['c:/Users', 'path_foreign'],
    ['../app_evil/x', 'path_outside'],
    ['..', 'path_outside'],
    ['/etc/passwd', 'path_outside'],
    ['src/../../app_evil/x', 'path_outside'],
    [`${'a/'.repeat(3000)}x`, 'path_too_long'],
    ['a'.repeat(300), 'path_too_long'],
  ])('IDE-53 refuses %j with a code and a next step', (path, expected) => {
    const result = guard.resolve(path, 'write');
    expect(result).toMatchObject({ ok: false, code: expected });
    expect(!result.ok && result.next).toBeTruthy();
  });

  it('IDE-53 allows a file whose name starts with a tilde when it is spelled as one', () => {
    expect(resolved('./~')).toMatchObject({ relative: '~' });
    expect(resolved('~$report.docx')).toMatchObject({ relative: '~$report.docx' });
  });

  it('IDE-53 refuses Windows devices, streams and drive-relative paths on Windows', () => {
    const windows = new PathGuard({ root, platform: 'win32' });
    expect(code('con', windows)).toBe('path_device');
    expect(code('src/NUL.txt', windows)).toBe('path_device');
    expect(code('a.txt:hidden', windows)).toBe('path_device');
    expect(code('C:relative', windows)).toBe('path_device');
  });

  it('IDE-53 compares with a separator: /w/app does not hold /w/app_evil', () => {
    expect(code(join(base, 'app_evil', 'x'))).toBe('path_outside');
    expect(code(join(base, 'app_evil', 'x'), guard, 'read')).toBe('path_outside');
  });

  it('IDE-53 refuses a link that leads out, to a file, a folder and to what does not exist yet', () => {
    symlinkSync(join(base, 'app_evil'), join(root, 'folder'));
    symlinkSync(join(base, 'app_evil', 'x'), join(root, 'file'));
    symlinkSync(join(base, 'app_evil', 'not-yet'), join(root, 'dangling'));
    symlinkSync('../app_evil/not-yet', join(root, 'relative-dangling'));
    symlinkSync('dangling', join(root, 'link-to-dangling'));
    for (const path of [
      'folder/x',
      'folder/new',
      'folder',
      'file',
      'dangling',
      'relative-dangling',
      'link-to-dangling',
    ]) {
      expect(guard.resolve(path, 'write'), path).toMatchObject({ ok: false, code: 'path_outside' });
      expect(guard.resolve(path, 'read'), path).toMatchObject({ ok: false, code: 'path_outside' });
    }
    const refused = guard.resolve('file', 'read');
    expect(!refused.ok && refused.message).toContain(join(base, 'app_evil', 'x'));
  });

  it('IDE-53 follows links that stay inside, dangling ones and detours through missing folders too', () => {
    symlinkSync('src/a.ts', join(root, 'alias'));
    symlinkSync('src/later.ts', join(root, 'later'));
    symlinkSync('missing/../src', join(root, 'detour'));
    expect(resolved('alias')).toMatchObject({ real: join(root, 'src/a.ts'), relative: 'alias', exists: true });
    expect(resolved('later')).toMatchObject({ real: join(root, 'src/later.ts'), exists: false });
    expect(resolved('detour/a.ts')).toMatchObject({ real: join(root, 'src/a.ts') });
  });

  it('IDE-53 a detour through a missing folder does not hide a link that leads out', () => {
    symlinkSync(join(base, 'app_evil'), join(root, 'out'));
    symlinkSync('missing/../out/new', join(root, 'detour'));
    expect(code('detour')).toBe('path_outside');
  });

  it('IDE-53 refuses links that go round in circles', () => {
    symlinkSync('b', join(root, 'a'));
    symlinkSync('a', join(root, 'b'));
    expect(code('a')).toBe('path_link_loop');
    expect(code('a/x')).toBe('path_link_loop');
  });

  it('IDE-53 takes a root that is itself a link', () => {
    symlinkSync(root, join(base, 'link'));
    const linked = new PathGuard({ root: join(base, 'link') });
    expect(linked.root).toBe(root);
    expect(resolved('src/a.ts', linked)).toMatchObject({ real: join(root, 'src/a.ts'), relative: 'src/a.ts' });
    expect(resolved(join(root, 'src/a.ts'), linked).relative).toBe('src/a.ts');
  });

  it('IDE-53 judges both the link and where it leads', () => {
    mkdirSync(join(root, '.vscode'));
    symlinkSync('.vscode', join(root, 'harmless'));
    symlinkSync('../src', join(root, '.vscode', 'inner'));
    symlinkSync('.git/hooks/pre-commit', join(root, 'notes.md'));
    expect(resolved('harmless/settings.json').protected?.why).toBe("the editor's configuration");
    expect(resolved('.vscode/inner/a.ts').protected?.why).toBe("the editor's configuration");
    expect(resolved('notes.md').protected?.why).toBe('git internals');
    expect(resolved('src/a.ts').protected).toBeUndefined();
  });

  it('IDE-53 protects below the root only: a workspace inside .blackide is not itself configuration', () => {
    const worktree = join(base, '.blackide', 'worktrees', 'w');
    mkdirSync(worktree, { recursive: true });
    const inside = new PathGuard({ root: worktree });
    expect(resolved('src/a.ts', inside).protected).toBeUndefined();
    expect(resolved('.blackide/settings.json', inside).protected?.why).toBe("the agent's configuration");
  });

  it('IDE-53 protects what it is told to, in any case', () => {
    const hooks = new PathGuard({ root, protect: [join(root, 'tools', 'git-hooks-of-ours')] });
    expect(resolved('tools/git-hooks-of-ours/pre-push', hooks).protected).toBeDefined();
    expect(resolved('tools/GIT-hooks-of-ours/pre-push', hooks).protected).toBeDefined();
    expect(resolved('tools/other', hooks).protected).toBeUndefined();
  });

  it('IDE-53 opens what the user granted and no more', () => {
    const granted = new PathGuard({ root, granted: [{ path: join(base, 'app_evil'), access: 'read' }] });
    const read = granted.resolve(join(base, 'app_evil', 'x'), 'read');
    expect(read).toMatchObject({ ok: true, relative: join(base, 'app_evil', 'x') });
    expect(code(join(base, 'app_evil', 'x'), granted)).toBe('path_read_only');
    const writing = new PathGuard({ root, granted: [{ path: join(base, 'app_evil'), access: 'write' }] });
    expect(resolved('../app_evil/.git/config', writing).protected?.why).toBe('git internals');
    expect(code(join(base, 'other'), writing)).toBe('path_outside');
  });

  it('IDE-53 keeps out of the kernel folders even where the root holds them', () => {
    const all = new PathGuard({ root: sep });
    expect(code('/proc/self/environ', all, 'read')).toBe('path_outside');
    expect(code('/dev/null', all)).toBe('path_outside');
    expect(code(join(root, 'src/a.ts'), all)).toBe('ok');
  });

  it('IDE-53 refuses what lies behind a folder that may not be entered', () => {
    mkdirSync(join(root, 'closed', 'inner'), { recursive: true });
    chmodSync(base, 0o755);
    chmodSync(join(root, 'closed'), 0o000);
    const program = `import { PathGuard } from ${JSON.stringify(join(import.meta.dirname, 'path-guard.ts'))};
      const result = new PathGuard({ root: ${JSON.stringify(root)} }).resolve('closed/inner/x', 'read');
      process.stdout.write(result.ok ? 'ok' : result.code);`;
    const nobody = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};
    const answer = execFileSync(process.execPath, ['--input-type=module', '-e', program], {
      encoding: 'utf8',
      ...nobody,
    });
    chmodSync(join(root, 'closed'), 0o755);
    expect(answer).toBe('path_unreadable');
  });

  it('IDE-53 property: whatever is accepted is inside, and its relative form means the same file', () => {
    mkdirSync(join(root, 'src', 'deep'));
    symlinkSync('..', join(root, 'src', 'deep', 'up'));
    symlinkSync(base, join(root, 'out'));
    symlinkSync('src/deep', join(root, 'in'));
    symlinkSync('nowhere/at/all', join(root, 'dangling'));
    const segment = fc.constantFrom(
      '..',
      '.',
      'src',
      'deep',
      'up',
      'out',
      'in',
      'app',
      'app_evil',
      'x',
      'new',
      'dangling',
      '',
    );
    fc.assert(
      fc.property(fc.array(segment, { minLength: 1, maxLength: 8 }), fc.boolean(), (segments, absolute) => {
        const path = segments.join('/');
        const result = guard.resolve(absolute ? join(root, path) : path, 'write');
        if (!result.ok) return;
        expect(result.real === root || result.real.startsWith(root + sep)).toBe(true);
        const again = guard.resolve(result.relative, 'write');
        expect(again).toMatchObject({ ok: true, real: result.real, relative: result.relative });
      }),
    );
  });
});
