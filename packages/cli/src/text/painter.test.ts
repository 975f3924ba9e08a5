import { describe, expect, it } from 'vitest';
import { canPaint, painter } from './painter.ts';

describe('painter', () => {
  it('colours only where the terminal takes it', () => {
    expect(painter({ TERM: 'xterm' }, true).bad('x')).toBe('\u001b[31mx\u001b[39m');
    expect(painter({ TERM: 'xterm' }, false).bad('x')).toBe('x');
    expect(painter({ TERM: 'xterm', NO_COLOR: '1' }, true).bad('x')).toBe('x');
    expect(painter({ TERM: 'dumb' }, true).bad('x')).toBe('x');
    expect(painter({}, true).bad('x')).toBe('x');
    expect(canPaint({ TERM: 'xterm', NO_COLOR: '1' }, true)).toBe(true);
  });
});
