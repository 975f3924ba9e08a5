import { describe, expect, it } from 'vitest';
import { FrameMatcher } from './match-frames.ts';

const FILES = [
  'src/store.ts',
  'src/ui/store.ts',
  'src/index.ts',
  'lib/index.js',
  'app/src/main/java/de/danoeh/Queue.java',
  'packages/koa/lib/application.js',
  'src/requests/cookies.py',
];
const match = (file: string | undefined) => new FrameMatcher(FILES).match({ file })?.path;

describe('FrameMatcher', () => {
  it.each([
    ['/home/other/app/src/store.ts', 'src/store.ts'],
    ['C:\\Users\\Me\\App\\SRC\\UI\\Store.ts', 'src/ui/store.ts'],
    ['/srv/dist/src/ui/store.js', 'src/ui/store.ts'],
    ['webpack:///./src/ui/store.ts?4f2a', 'src/ui/store.ts'],
    ['file:///a/src/store.ts', 'src/store.ts'],
    ['de/danoeh/Queue.java', 'app/src/main/java/de/danoeh/Queue.java'],
    ['/usr/lib/python3/site-packages/requests/cookies.py', 'src/requests/cookies.py'],
    ['/app/node_modules/koa/lib/application.js', 'packages/koa/lib/application.js'],
  ])('DX-9 finds %s', (file, path) => {
    expect(match(file)).toBe(path);
  });

  it.each([
    ['index.ts', 'src/index.ts'],
    ['application.js', 'packages/koa/lib/application.js'],
  ])('DX-9 a bare name is enough where it is the only one: %s', (file, path) => {
    expect(match(file)).toBe(path);
  });

  it.each(['store.ts', 'other.ts', '', undefined, 'node:internal/process'])('DX-9 does not guess: %s', (file) => {
    expect(match(file)).toBeUndefined();
  });

  it('DX-9 leaves frames of other packages alone, though a file has their name', () => {
    expect(match('/app/node_modules/express/lib/router/index.js')).toBeUndefined();
    expect(match('/usr/lib/python3/site-packages/flask/store.py')).toBeUndefined();
  });
});
