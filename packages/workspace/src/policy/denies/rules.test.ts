import { describe, expect, it } from 'vitest';
import { isBlockDevice } from './block-device.ts';
import { takesAccess } from './chmod-mode.ts';
import { looksLikeForkBomb } from './fork-bomb.ts';
import { rawTextDeny } from './raw-text.ts';

const place = { cwds: ['/home/ann/app'], home: '/home/ann' };

describe('takesAccess', () => {
  it.each(['000', '0', '0000', '077', 'a-rwx', '-rwx', 'u-r', 'u-rwx,g+x', 'a=', 'u=', '=', 'ugo-x', '-x'])(
    'IDE-63 %s does',
    (mode) => {
      expect(takesAccess(mode)).toBe(true);
    },
  );

  it.each(['755', '644', '400', '1777', 'u+x', 'a+rwX', 'go-rwx', 'g=', 'u=rwx,go=', '+x'])(
    'IDE-63 %s does not',
    (mode) => {
      expect(takesAccess(mode)).toBe(false);
    },
  );
});

describe('isBlockDevice', () => {
  it.each([
    '/dev/sda',
    '/dev/sda1',
    '//dev/sdb',
    '/dev/./sda',
    '/dev/x/../hda',
    '/dev/nvme0n1p2',
    '/dev/vda',
    '/dev/disk2',
    '/dev/mapper/root',
  ])('IDE-63 %s is one', (path) => {
    expect(isBlockDevice(path, ['/w'])).toBe(true);
  });

  it.each([
    '/dev/null',
    '/dev/zero',
    '/dev/tty',
    '/dev/stdin',
    '/dev/fd/3',
    '/dev/shm/sda',
    'sda',
    '/tmp/dev/sda',
    '/dev/mapper/control',
  ])('IDE-63 %s is none', (path) => {
    expect(isBlockDevice(path, ['/w'])).toBe(false);
  });

  it('IDE-63 a relative path counts from every folder the command may be in', () => {
    expect(isBlockDevice('sda', ['/w', '/dev'])).toBe(true);
    expect(isBlockDevice('../dev/sda', ['/w'])).toBe(true);
  });
});

describe('rawTextDeny', () => {
  it.each([
    "os.system('rm -rf /')",
    'subprocess.run(["rm", "-rf", "/"])',
    "exec('sudo', 'rm', '-rf', '~')",
    "rm -rf / '",
    'if x; then reboot',
    'C="mkfs.ext4 /dev/sda',
    "dd if=/dev/zero of=/dev/sda '",
    'cat x > /dev/sda "',
    "chmod -R 000 / '",
    "cd / && rm -rf * '",
    ":(){ :|:& };: '",
  ])('IDE-63 refuses %s', (text) => {
    expect(rawTextDeny(text, place)).toBeDefined();
  });

  it.each([
    "print('hello')",
    "rm -rf build '",
    'the form (see "rm") -rf',
    "echo reboot later '",
    "a > /dev/null '",
    'f() { echo; }',
  ])('IDE-63 has nothing against %s', (text) => {
    expect(rawTextDeny(text, place)).toBeUndefined();
  });

  it('IDE-63 ends on overgrown text', () => {
    for (const unit of ['a', 'rm ', '(', "'", 'f(){', '> ', 'x=', 'rm -rf / x', '\\']) {
      const found = rawTextDeny(unit.repeat(100_000), place);
      expect(found === undefined || found.rule.length > 0).toBe(true);
    }
  });
});

describe('looksLikeForkBomb', () => {
  it.each([':(){ :|:& };:', 'b() { b | b & }', 'f(){ f& f& }', 'fork while fork', 'while True: os.fork()'])(
    'IDE-63 %s',
    (text) => {
      expect(looksLikeForkBomb(text)).toBe(true);
    },
  );

  it.each(['f() { g | h; }', 'walk() { walk x; }', 'fork it on the hub'])('IDE-63 not %s', (text) => {
    expect(looksLikeForkBomb(text)).toBe(false);
  });
});
