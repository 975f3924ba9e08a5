import type { DiagnosticsNews, NewsKind, Severity } from '@black-ide/intel';
import { describe, expect, it } from 'vitest';
import { diagnosticsText } from './diagnostics-text.ts';

const line = (kind: NewsKind, path: string, severity: Severity, message: string, code?: string) => ({
  kind,
  path: `/w/${path}`,
  diagnostic: {
    range: { start: { line: 2, character: 6 }, end: { line: 2, character: 9 } },
    severity,
    message,
    source: 'ts',
    ...(code ? { code } : {}),
  },
});
const nothing: DiagnosticsNews = { lines: [], more: 0, pending: [], settled: [], problems: [] };
const text = (news: Partial<DiagnosticsNews>) => diagnosticsText({ ...nothing, ...news }, '/w');

describe('diagnosticsText', () => {
  it('INT-16 INT-17 groups what is new, what may be earlier and what is', () => {
    const lines = [
      line('new', 'a.ts', 1, 'Bad\n  thing', '2322'),
      line('perhaps', 'b.ts', 2, 'Odd'),
      line('earlier', 'a.ts', 1, 'Old'),
    ];
    expect(text({ lines, more: 3 })).toBe(
      [
        'New problems:',
        'a.ts:3:7 error ts 2322: Bad thing',
        'Problems, may be earlier ones:',
        'b.ts:3:7 warning ts: Odd',
        'Earlier problems, not from this change:',
        'a.ts:3:7 error ts: Old',
        '… and 3 more.',
      ].join('\n'),
    );
  });

  it('INT-18 says what is pending, what has come to nothing, and what is missing', () => {
    expect(text({ pending: ['Pyright'], settled: ['gopls'], problems: ['ESLint ended with code 1.'] })).toBe(
      [
        'Diagnostics still pending (Pyright); they come with a later result.',
        'gopls: done, no new problems.',
        'Diagnostics are missing: ESLint ended with code 1.',
      ].join('\n'),
    );
  });

  it('INT-17 cuts a message that is too long', () => {
    const [, told = ''] = text({ lines: [line('new', 'a.ts', 1, '🦊'.repeat(400))] }).split('\n');
    expect(told.length).toBeLessThan(340);
    expect(told.endsWith('…')).toBe(true);
  });
});
