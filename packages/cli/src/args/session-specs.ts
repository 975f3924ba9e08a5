import type { ExportFormat } from '@black-ide/protocol';
import { type CommandSpec, type FlagSpec, HELP, JSON_FLAG } from './spec.ts';

const ALL: FlagSpec = { name: 'all', about: 'the sessions of every folder' };
const FORMATS = ['html', 'md', 'json'] as const satisfies readonly ExportFormat[];

/** `black sessions` and what comes after it. */
export const SESSION_COMMANDS: readonly CommandSpec[] = [
  {
    name: 'sessions',
    about: 'List, show, search, export, rename sessions, and put them away.',
    usage: [
      'black sessions list [options]',
      'black sessions show SESSION [options]',
      'black sessions search QUERY… [options]',
      'black sessions export SESSION [options]',
      'black sessions rename SESSION NAME… [options]',
      'black sessions rm SESSION… [options]',
      'black sessions restore SESSION… [options]',
    ],
    words: { min: 1, max: 1 },
    flags: [HELP],
    examples: [
      { line: 'black sessions list', about: "this folder's sessions, newest first" },
      { line: 'black sessions show latest', about: 'the newest one, in words' },
      { line: 'black sessions search --all "flaky test" retry', about: 'where was that?' },
      { line: 'black sessions export latest', about: 'one HTML file to hand on' },
    ],
    notes: [
      {
        title: 'SESSION is one of',
        rows: [
          ['4f1c2a7b…', 'an id, or the beginning of one'],
          ['latest', "this folder's newest"],
          ['./x.jsonl', "a session's file"],
        ],
      },
    ],
  },
  {
    name: 'sessions list',
    about: "List this folder's sessions, newest first.",
    usage: ['black sessions list [options]'],
    words: { min: 0, max: 0 },
    flags: [ALL, JSON_FLAG, HELP],
    examples: [
      { line: 'black sessions list --all', about: 'of every folder' },
      { line: 'black sessions list --json | jq -r ".[0].id"', about: 'the newest id' },
    ],
  },
  {
    name: 'sessions show',
    about: 'Show what happened in a session. Only reads: also while another process works in it.',
    usage: ['black sessions show SESSION [options]'],
    words: { min: 1, max: 1 },
    flags: [JSON_FLAG, HELP],
    examples: [
      { line: 'black sessions show latest', about: "this folder's newest session" },
      { line: 'black sessions show 4f1c2a7b --json', about: 'as data' },
    ],
  },
  {
    name: 'sessions search',
    about:
      "Search titles and messages of this folder's sessions, newest first. All words must occur; case does not matter.",
    usage: ['black sessions search QUERY… [options]'],
    words: { min: 1, max: Number.POSITIVE_INFINITY },
    flags: [ALL, { name: 'limit', value: 'N', about: 'at most so many sessions (50 otherwise)' }, JSON_FLAG, HELP],
    examples: [
      { line: 'black sessions search login timeout', about: 'both words, anywhere in a session' },
      { line: 'black sessions search \'"off by one" parser\'', about: 'a phrase, and a word' },
      { line: "black sessions search --all 're:ECONN(RESET|REFUSED)'", about: 'a regular expression' },
    ],
  },
  {
    name: 'sessions export',
    about:
      'Write a session into one file to hand on. Secrets that are recognised are taken out; look through it all the same.',
    usage: ['black sessions export SESSION [options]'],
    words: { min: 1, max: 1 },
    flags: [
      {
        name: 'format',
        value: 'FORMAT',
        choices: FORMATS,
        about: 'html (one page without scripts, the default), md (Markdown) or json (the log itself)',
      },
      { name: 'out', short: 'o', value: 'FILE', about: 'where to; - is stdout. A new file in this folder otherwise' },
      HELP,
    ],
    examples: [
      { line: 'black sessions export latest', about: 'black-2026-11-30-….html' },
      { line: 'black sessions export 4f1c2a7b --format md --out -', about: 'Markdown on stdout' },
    ],
  },
  {
    name: 'sessions rename',
    about: 'Give a session a name; an empty one takes it away.',
    usage: ['black sessions rename SESSION NAME… [options]'],
    words: { min: 2, max: Number.POSITIVE_INFINITY },
    flags: [JSON_FLAG, HELP],
    examples: [
      { line: 'black sessions rename latest The flaky login test', about: 'the name in lists' },
      { line: "black sessions rename latest ''", about: 'the first message is its title again' },
    ],
  },
  {
    name: 'sessions rm',
    about: 'Move sessions to the trash folder. Nothing is deleted.',
    usage: ['black sessions rm SESSION… [options]'],
    words: { min: 1, max: Number.POSITIVE_INFINITY },
    flags: [JSON_FLAG, HELP],
    examples: [
      { line: 'black sessions rm 4f1c2a7b', about: 'out of sight' },
      { line: 'black sessions restore 4f1c2a7b', about: 'and back' },
    ],
  },
  {
    name: 'sessions restore',
    about: 'Take sessions back from the trash folder.',
    usage: ['black sessions restore SESSION… [options]'],
    words: { min: 1, max: Number.POSITIVE_INFINITY },
    flags: [JSON_FLAG, HELP],
    examples: [{ line: 'black sessions restore 4f1c2a7b', about: 'as if nothing had been' }],
  },
];
