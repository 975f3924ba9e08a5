import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ANY, activateGlobs, SOME } from '../shell/markers.ts';
import { protectedPath } from './protected-path.ts';

const place = { cwds: ['/home/ann/app'], home: '/home/ann' };

describe('protectedPath', () => {
  it.each([
    ...['/', '//', '/.', '/..', '/x/..', '/*', '/.*', '/?*', '/*/*', '/etc', '/etc/*', '/usr', '/e*', '/[e]tc'],
    ...[
      '/proc/self/root',
      '/proc/1/root/etc',
      '/proc/self/cwd/../../..',
      '../../..',
      '/mnt/c',
      '/home',
      '/home/*',
      '/h*',
    ],
    ...[
      '/home/ann',
      '/home/ann/',
      '/home/ann/*',
      '/home/ann/.*',
      '/home/*/*',
      '/home/bob',
      '/root',
      '/Users/bob',
      '..',
      '../*',
      '../../ann',
      '/home/a*',
    ],
  ])('IDE-63 %s is protected', (path) => {
    expect(protectedPath(activateGlobs(path), place)).toBeDefined();
  });

  it.each([
    ...[
      '',
      'x',
      '.',
      './*',
      '*',
      '/tmp',
      '/tmp/*',
      '/opt/x',
      '/home/ann/app',
      '/home/ann/x*',
      '/home/ann/.cache',
      '/home/bob/x',
    ],
    ...['/etc/x', '/usr/local/x', '/var/lib/y/*', '/x*', '/workspace', '/mnt/data', '/proc/self/root/tmp'],
  ])('IDE-63 %j is not', (path) => {
    expect(protectedPath(activateGlobs(path), place)).toBeUndefined();
  });

  it('IDE-63 an unknown part may be empty, one that is known to be set may not', () => {
    expect(protectedPath(`${ANY}/`, place)).toBeDefined();
    expect(protectedPath(`${ANY}/*`.replace('*', activateGlobs('*')), place)).toBeDefined();
    expect(protectedPath(`${SOME}/`, place)).toBeUndefined();
    expect(protectedPath(`${ANY}/x`, place)).toBeUndefined();
  });

  it('IDE-63 no detour hides a protected path', () => {
    const detour = fc.constantFrom('.', '', 'tmp/..', 'a/b/../..', 'home/..', './.');
    fc.assert(
      fc.property(
        fc.array(detour, { maxLength: 4 }),
        fc.constantFrom('', 'etc', 'home/ann', 'home'),
        (steps, target) => {
          const path = `/${[...steps, ...target.split('/')].join('/')}`;
          expect(protectedPath(path, place), path).toBeDefined();
          expect(protectedPath(`../../../${path.slice(1)}`, place), path).toBeDefined();
        },
      ),
    );
  });
});
