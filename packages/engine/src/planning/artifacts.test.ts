import { expect, it } from 'vitest';
import { artifactFolder } from './artifacts.ts';

it('IDE-31 a session’s artifacts stay in a folder of their own, whatever the session calls itself', () => {
  const id = '638af01c-3169-49f9-ab12-9297a7c55098';
  expect(artifactFolder('.blackide', id)).toBe(`.blackide/artifacts/${id}`);
  const hostile = ['../../src', '..', '.', '', 'a/b', 'a\\b', '.git', 'x'.repeat(200), 'nul.', 'a:b', '\u202e'];
  const folders = hostile.map((name) => artifactFolder('.blackide', name));
  for (const folder of folders) expect(folder).toMatch(/^\.blackide\/artifacts\/[0-9a-f]{32}$/);
  expect(new Set(folders).size).toBe(hostile.length);
});
