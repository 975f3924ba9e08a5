import { type CommandSpec, HELP, JSON_FLAG } from './spec.ts';

/** The commands that ask language servers. */
export const LANGUAGE_COMMANDS: readonly CommandSpec[] = [
  {
    name: 'lsp',
    about: 'Ask the language servers of this folder: problems, definitions, references, symbols and more.',
    usage: [
      'black lsp status',
      'black lsp diagnostics [FILE]',
      'black lsp QUESTION FILE:LINE:COLUMN',
      'black lsp symbols FILE',
      'black lsp search QUERY [FILE]',
      'black lsp rename FILE:LINE:COLUMN NEW-NAME',
      'black lsp actions FILE:LINE',
    ],
    words: { min: 1, max: 3 },
    flags: [
      { name: 'symbol', value: 'NAME', about: 'instead of the column: a name in the line, or anywhere in the file' },
      { name: 'trust', about: 'trust this folder for this run: servers that run what lies in it are started' },
      JSON_FLAG,
      HELP,
    ],
    notes: [
      {
        title: 'Questions about a place',
        rows: [
          ['definition', 'where it is defined (type-definition: where its type is)'],
          ['implementation', 'what implements it'],
          ['references', 'where it is used'],
          ['hover', 'its type and what is written about it'],
          ['callers', 'what calls it (callees: what it calls)'],
        ],
      },
    ],
    examples: [
      { line: 'black lsp status', about: 'which servers there are, and how to get those that are missing' },
      { line: 'black lsp diagnostics src/store.ts', about: 'what is wrong with a file' },
      { line: 'black lsp references src/store.ts --symbol save', about: 'who uses it' },
      { line: 'black lsp rename src/store.ts:12:9 store', about: 'the diff of a renaming; nothing is written' },
    ],
  },
];
