import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MEMORY_KINDS, type Memory, type MemoryKind } from './memory.ts';
import { mergeMemory } from './merge-memory.ts';

const DAY = '2026-01-31';
const memory = (kind: MemoryKind, title: string, text: string, status?: string): Memory => ({
  kind,
  title,
  text,
  ...(status === undefined ? {} : { status }),
});
const visible = (text: string) => text.replaceAll(/^<!-- black:\w+ -->\n/gm, '').replaceAll(/ <!-- black:\w+ -->/g, '');

/** Remembers one after the other. */
function remember(existing: string | undefined, ...memories: Memory[]): string {
  return memories.reduce((text: string | undefined, each) => mergeMemory(text, each, DAY).text, existing) ?? '';
}

describe('mergeMemory', () => {
  it('IDE-68 decisions are ADRs, newest last, and never changed', () => {
    const text = remember(
      undefined,
      memory('decision', 'Use SQLite', 'It is one file.'),
      memory('decision', 'Use Postgres', 'It is not one file.', 'proposed'),
    );
    expect(visible(text)).toBe(
      '# Decision log\n\n## ADR-0001: Use SQLite\n\n- Date: 2026-01-31\n- Status: accepted\n\nIt is one file.\n' +
        '\n## ADR-0002: Use Postgres\n\n- Date: 2026-01-31\n- Status: proposed\n\nIt is not one file.\n',
    );
    expect(mergeMemory(text, memory('decision', 'use sqlite', 'It is one file.'), '2027-01-01').outcome).toBe(
      'unchanged',
    );
    expect(remember(text, memory('decision', 'Use SQLite', 'No longer.', 'superseded'))).toContain(
      '## ADR-0003: Use SQLite',
    );
  });

  it('IDE-68 features are rows of a table, of one a person made too', () => {
    const text = remember(
      undefined,
      memory('feature', 'Log | in', 'works', 'done'),
      memory('feature', 'Search', 'slow', 'in progress'),
      memory('feature', 'log | in', 'broken', 'in progress'),
    );
    expect(visible(text)).toBe(
      '# Feature status\n\n| Feature | Status | Updated | Notes |\n| --- | --- | --- | --- |\n' +
        '| log \\| in | in progress | 2026-01-31 | broken |\n| Search | in progress | 2026-01-31 | slow |\n',
    );
    const own = '# Ours\n\n|Feature|Status|Updated|Notes|\n|-|-|-|-|\n|Export|done|2025|mine|\n\nText.\n';
    const merged = mergeMemory(own, memory('feature', 'Export', 'theirs', 'broken'), DAY);
    expect(merged.outcome).toBe('added beside');
    expect(visible(merged.text)).toBe(own.replace('|mine|\n', '|mine|\n| Export | broken | 2026-01-31 | theirs |\n'));
  });

  it('IDE-68 terms, debts and plans are lists, architecture is sections', () => {
    expect(visible(remember(undefined, memory('term', 'Entry', 'a line\nof the log')))).toBe(
      '# Glossary\n\n- **Entry**: a line of the log\n',
    );
    const debts = remember(
      undefined,
      memory('debt', 'Old parser', 'slow'),
      memory('debt', 'Old parser', 'gone', 'done'),
    );
    expect(visible(debts)).toBe('# Technical debt\n\n- [x] **Old parser**: gone (2026-01-31)\n');
    expect(visible(remember('# Roadmap\n\n- mine\n', memory('roadmap', 'Sync', 'by May')))).toBe(
      '# Roadmap\n\n- mine\n- [ ] **Sync**: by May\n',
    );
    const text = remember(
      undefined,
      memory('architecture', 'Store', 'One\n\n## inner\nend'),
      memory('architecture', 'Wire', 'Two'),
    );
    expect(visible(remember(text, memory('architecture', 'Store', 'New')))).toBe(
      '# Architecture\n\n## Store\n\nNew\n\n## Wire\n\nTwo\n',
    );
  });

  const title = fc.constantFrom('A', 'b', 'Log in', 'x | y', '**z**');
  const words = fc.oneof(
    fc.constantFrom(
      'text',
      'two\nlines',
      '- item',
      '## head',
      '| a | b |',
      '<!-- black:01234567 -->',
      '\r\n\r\n\r\nend',
    ),
    fc.string({ maxLength: 20 }),
  );
  const memories = fc.array(
    fc.record({ title, text: words, status: fc.option(fc.constantFrom('done', 'planned'), { nil: undefined }) }),
    { minLength: 1, maxLength: 6 },
  );
  const kind = fc.constantFrom(...MEMORY_KINDS);

  it('IDE-68 no line that a person wrote is ever lost or changed, and line endings stay', () => {
    const line = fc.oneof(
      fc.constantFrom(
        '# Mine',
        '- **A**: mine',
        '- [ ] **b**: mine',
        '## A',
        '## ADR-0007: A',
        '| Feature | Status | Updated | Notes |',
        '|-|-|-|-|',
        '| A | mine | - | - |',
        '',
        '```',
        '- **A**: x <!-- black:00000000 -->',
      ),
      fc.string({ maxLength: 12 }).map((text) => text.replaceAll(/[\r\n]/g, '')),
    );
    fc.assert(
      fc.property(
        kind,
        fc.array(line, { maxLength: 12 }),
        fc.constantFrom('\n', '\r\n'),
        fc.boolean(),
        memories,
        (of, own, ending, closed, list) => {
          const before = own.join(ending) + (closed ? ending : '');
          const after = remember(before, ...list.map((each) => memory(of, each.title, each.text, each.status)));
          if (before.trim() === '') return;
          const left = after.split('\n');
          for (const mine of own) {
            const at = left.findIndex((each) => each.replace(/\r$/, '') === mine);
            expect(at, JSON.stringify([mine, after])).toBeGreaterThanOrEqual(0);
            left.splice(0, at + 1);
          }
          if (ending === '\r\n' && own.length > 1) expect(after.replaceAll('\r\n', '')).not.toContain('\n');
        },
      ),
    );
  });

  it('IDE-68 an entry of the machine that a person has touched is theirs from then on', () => {
    fc.assert(
      fc.property(kind, title, words, words, fc.nat(), (of, name, first, second, at) => {
        const text = remember(undefined, memory(of, name, first));
        const lines = text.split('\n');
        const index = 2 + (at % (lines.length - 2));
        fc.pre(!/^(\| (Feature|---)|<!--|$)/.test(lines[index]!));
        lines[index] = lines[index]!.replace(/[a-zA-Z]/, (letter) => `${letter} touched`);
        fc.pre(lines[index]!.includes('touched'));
        const after = remember(lines.join('\n'), memory(of, name, second), memory(of, name, `${second}!`));
        expect(after).toContain(lines[index]);
      }),
    );
  });

  it('IDE-68 the same thing said twice changes nothing, and an entry is replaced instead of piling up', () => {
    fc.assert(
      fc.property(kind, memories, (of, list) => {
        const all = list.map((each) => memory(of, each.title, each.text, each.status));
        const text = remember(undefined, ...all);
        expect(remember(text, all.at(-1)!)).toBe(text);
        if (of === 'decision') return;
        const titles = new Set(list.map((each) => each.title));
        expect(text.match(/<!-- black:[0-9a-f]{8} -->/g)).toHaveLength(titles.size);
      }),
    );
  });
});
