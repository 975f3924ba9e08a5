import { expect, it } from 'vitest';
import { isBinaryName } from './is-binary-name.ts';

it('INT-11 knows by the ending of a name that a file holds no text', () => {
  expect(['a.PNG', 'lib/x.tar.gz', 'b.woff2', '.png'].every(isBinaryName)).toBe(true);
  expect(['a.svg', 'png', 'a.ts', 'png/readme', 'a.', 'a.constructor'].some(isBinaryName)).toBe(false);
});
