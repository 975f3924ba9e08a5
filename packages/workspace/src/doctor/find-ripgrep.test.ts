import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { findRipgrep } from './find-ripgrep.ts';

describe('findRipgrep', () => {
  it('IDE-84 finds the binary that came with us', async () => {
    const found = await findRipgrep();
    expect('path' in found && existsSync(found.path)).toBe(true);
  });
});
