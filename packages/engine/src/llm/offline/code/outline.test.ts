import { describe, expect, it } from 'vitest';
import { blockEnd, commentStart, docComment, firstSentence } from './blocks.ts';
import { outlineOf } from './outline.ts';

function numbered(text: string): Map<number, string> {
  return new Map(text.split('\n').map((line, at) => [at + 1, line]));
}

const TYPESCRIPT = numbered(`// Keeps notes, e.g. in one file. More words.

import { a } from './a.ts';
import type { B } from 'b';

/**
 * Saves a note.
 * @param note the note
 */
export function save(note: Note): void {
  const local = 1;
  if (local) {
    done();
  }
}

class Hidden {
  /** Runs it. */
  run(times: number) {
    return times;
  }
}`);

const PYTHON = numbered(`"""Keeps notes."""
import json
from .store import Store

def save(note):
    """Saves a note.

    Slowly.
    """
    return note

def other():
    pass`);

describe('outlines', () => {
  it('IDE-28 reads what a TypeScript file holds from its lines', () => {
    const outline = outlineOf(TYPESCRIPT, 'src/notes.ts');
    expect(outline.about).toBe('Keeps notes, e.g. in one file.');
    expect(outline.imports).toEqual(['./a.ts', 'b']);
    expect(outline.items).toMatchObject([
      {
        name: 'save',
        kind: 'function',
        exported: true,
        line: 10,
        doc: 'Saves a note.',
        signature: '(note: Note)',
        nested: false,
      },
      { name: 'Hidden', kind: 'class', exported: false, line: 17, nested: false },
      { name: 'run', kind: 'method', line: 19, doc: 'Runs it.', nested: true },
    ]);
  });

  it('IDE-28 reads docstrings and imports of Python', () => {
    const outline = outlineOf(PYTHON, 'notes.py');
    expect(outline).toMatchObject({
      about: 'Keeps notes.',
      imports: ['json', '.store'],
      items: [
        { name: 'save', doc: 'Saves a note.' },
        { name: 'other', doc: '' },
      ],
    });
  });

  it('IDE-28 leaves out what stands in the code blocks of a document', () => {
    const outline = outlineOf(numbered('# One\n```\n# no heading\n```\n## Two'), 'a.md');
    expect(outline.items.map((item) => item.name)).toEqual(['One', 'Two']);
  });

  it('IDE-28 finds where a block ends and where its comment begins', () => {
    expect(blockEnd(TYPESCRIPT, 10, 'a.ts', 40)).toBe(15);
    expect(blockEnd(TYPESCRIPT, 10, 'a.ts', 3)).toBe(12);
    expect(commentStart(TYPESCRIPT, 10, 'a.ts')).toBe(6);
    expect(docComment(TYPESCRIPT, 10, 'a.ts')).toBe('Saves a note. @param note the note');
    expect(blockEnd(PYTHON, 5, 'a.py', 40)).toBe(10);
    expect(blockEnd(new Map(), 1, 'a.ts', 40)).toBe(1);
  });

  it('IDE-28 ends a sentence where people do', () => {
    expect(firstSentence('Splits it, i.e. cuts it. Then more.')).toBe('Splits it, i.e. cuts it.');
    expect(firstSentence('No end @returns nothing')).toBe('No end');
    expect(firstSentence('এটা রাখে। আরও')).toBe('এটা রাখে।');
  });
});
