import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bwrapArguments } from './bwrap-arguments.ts';
import { isInside, orderedRules, type SandboxRule } from './sandbox-policy.ts';
import { seatbeltProfile } from './seatbelt-profile.ts';

const RULES: SandboxRule[] = [
  { access: 'read', path: '/w/.git/config' },
  { access: 'write', path: '/w' },
  { access: 'absent', path: '/w/.vscode' },
  { access: 'none', path: '/home', kind: 'folder' },
  { access: 'private', path: '/home/me', from: '/state/home', writable: true },
  { access: 'none', path: '/etc/shadow', kind: 'file' },
  { access: 'write', path: '/w/.git' },
  { access: 'private', path: '/home/me/.npmrc', from: '/state/npmrc', writable: false },
];

const part = fc.constantFrom('a', 'b', '.git', 'x y');
const path = fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) => `/${parts.join('/')}`);
const rule = fc.oneof(
  fc.record({ access: fc.constantFrom('write' as const, 'read' as const, 'absent' as const), path }),
  fc.record({ access: fc.constant('none' as const), path, kind: fc.constantFrom('file' as const, 'folder' as const) }),
  fc.record({ access: fc.constant('private' as const), path, from: fc.constant('/p'), writable: fc.boolean() }),
);

describe('SandboxPolicy', () => {
  it('IDE-65 becomes arguments of bubblewrap in which the nearest rule has the last word', () => {
    const args = bwrapArguments({ rules: RULES }, { cwd: '/w/src' }).join(' ');
    expect(args).toMatch(
      /^--unshare-user --unshare-pid --unshare-ipc --die-with-parent --new-session --cap-drop ALL --ro-bind \/ \/ /,
    );
    expect(args).toContain(
      [
        '--tmpfs /home --bind /w /w --ro-bind /dev/null /etc/shadow --bind /state/home /home/me --bind /w/.git /w/.git',
        '--tmpfs /w/.vscode --ro-bind /state/npmrc /home/me/.npmrc --ro-bind /w/.git/config /w/.git/config',
        '--remount-ro /run --remount-ro /home --remount-ro /w/.vscode --chdir /w/src --',
      ].join(' '),
    );
  });

  it('IDE-65 becomes a seatbelt profile with the same order', () => {
    const profile = seatbeltProfile({ rules: RULES }, { proxyPort: 3128 });
    expect(profile).toMatch(/^\(version 1\)\n\(deny default\)\n/);
    const at = (line: string): number => {
      expect(profile).toContain(line);
      return profile.indexOf(line);
    };
    const order = [
      '(deny network*)',
      '(deny file-read* file-write* (subpath "/home"))',
      '(allow file-read* file-write* (subpath "/w"))',
      '(deny file-read* file-write* (subpath "/home/me"))\n(allow file-read* file-write* (subpath "/state/home"))',
      '(deny file-write* (subpath "/w/.vscode"))',
      '(allow file-read* (subpath "/w/.git/config"))\n(deny file-write* (subpath "/w/.git/config"))',
      '(allow network-outbound (remote ip "localhost:3128"))',
    ].map(at);
    expect(order).toEqual(order.toSorted((a, b) => a - b));
    expect(seatbeltProfile({ rules: [] })).not.toContain('network-outbound');
  });

  it('IDE-65 no path breaks out of the profile', () => {
    const evil = '/w/"))(allow file-write* (subpath "/") \\';
    const profile = seatbeltProfile({ rules: [{ access: 'read', path: evil }] });
    expect(profile).toContain('(deny file-write* (subpath "/w/\\"))(allow file-write* (subpath \\"/\\") \\\\"))');
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('"', '\\', '(', ')', '\n', 'a') }), (name) => {
        const text = seatbeltProfile({ rules: [{ access: 'absent', path: `/${name}` }] })
          .split('\n')
          .slice(-2)[0]!;
        expect(text).toMatch(/^\(deny file-write\* \(subpath "(?:[^"\\]|\\.)*"\)\)$/);
      }),
    );
  });

  it('2.1.224 a slash at the end, or two in a row, mean the same path', () => {
    const rules: SandboxRule[] = [
      { access: 'write', path: '/w//' },
      { access: 'none', path: '/w/.aws/', kind: 'folder' },
      { access: 'write', path: '/w/.aws' },
    ];
    expect(orderedRules({ rules }).map(({ access, path: at }) => `${access} ${at}`)).toEqual([
      'write /w',
      'none /w/.aws',
    ]);
  });

  it('IDE-65 property: each path has one rule, the strictest, after those of the folders around it', () => {
    const strict = ['private', 'write', 'read', 'absent', 'none'];
    fc.assert(
      fc.property(fc.array(rule, { maxLength: 20 }), (rules) => {
        const ordered = orderedRules({ rules });
        expect(new Set(ordered.map((each) => each.path))).toEqual(new Set(rules.map((each) => each.path)));
        for (const [index, { path: at, access }] of ordered.entries()) {
          const same = rules.filter((each) => each.path === at).map((each) => strict.indexOf(each.access));
          expect(strict.indexOf(access)).toBe(Math.max(...same));
          expect(ordered.slice(index + 1).some((later) => later.path !== at && isInside(at, later.path))).toBe(false);
        }
      }),
    );
  });
});
