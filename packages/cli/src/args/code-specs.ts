import { type CommandSpec, HELP, JSON_FLAG } from './spec.ts';

/** Where the index is kept, and what `black graph` takes for a name. */
const NAMES: readonly (readonly [string, string])[] = [
  ['saveNote', 'a symbol by its name'],
  ['Store.saveNote', 'by its container too'],
  ['src/a.ts:saveNote', 'the one of this file'],
  ['src/a.ts:42', 'what stands at this line'],
  ['src/a.ts', 'a file, or the end of its path'],
];

/** The commands about the code of the working folder. They only read it: no trust is needed. */
export const CODE_COMMANDS: readonly CommandSpec[] = [
  {
    name: 'graph',
    about: 'Say what a symbol or a file is, who uses it, what it calls, and what may break when it changes.',
    usage: ['black graph SYMBOL|FILE [options]', 'black graph --dead [FOLDER] [options]'],
    words: { min: 0, max: 1 },
    flags: [
      { name: 'callers', about: 'who calls it' },
      { name: 'callees', about: 'what it calls' },
      { name: 'references', about: 'every place that uses it, with the line' },
      {
        name: 'impact',
        value: 'N',
        optional: true,
        about: 'what may break when it changes: its callers and theirs, over N calls (3 otherwise)',
      },
      { name: 'tests', about: 'the tests that reach it, nearest first' },
      { name: 'path-to', value: 'SYMBOL', about: 'the shortest chain of calls from it to this one' },
      { name: 'dead', about: 'what nothing here seems to use; in a folder or a file where one is named' },
      { name: 'limit', short: 'n', value: 'N', about: 'at most so many of each (50 otherwise; all with --json)' },
      JSON_FLAG,
      { name: 'dot', about: 'print a graph for Graphviz: black graph X --callers --dot | dot -Tsvg' },
      HELP,
    ],
    examples: [
      { line: 'black graph saveNote', about: 'what it is, its callers, callees and tests' },
      { line: 'black graph src/store.ts', about: 'what a file defines, imports, and who imports it' },
      { line: 'black graph Store.saveNote --impact 2', about: 'its callers and their callers' },
      { line: 'black graph main --path-to saveNote', about: 'how the one comes to call the other' },
      { line: 'black graph --dead src', about: 'candidates for removal' },
    ],
    notes: [
      { title: 'SYMBOL is one of', rows: NAMES },
      {
        title: 'How sure a use is',
        rows: [
          ['import', 'the name was followed through the imports'],
          ['scope', 'it is defined in the same scope, class or module'],
          ['unique name', 'nothing else here has that name'],
          ['ambiguous', 'several have it, and any may be meant'],
        ],
      },
      {
        title: 'Exit codes',
        rows: [
          ['0', 'answered'],
          ['1', 'there is no such symbol'],
          ['2', 'wrong use, or a name that several symbols have'],
        ],
      },
    ],
  },
  {
    name: 'diagnose',
    about:
      'Say what a bug report is, and in which files and lines the fault may lie. It only reads, and asks no model.',
    usage: [
      'black diagnose FILE [options]',
      'black diagnose - [options]',
      'black diagnose OWNER/REPOSITORY#N [options]',
    ],
    words: { min: 0, max: 1 },
    flags: [
      { name: 'repo', value: 'FOLDER', about: 'the folder of the code (the working folder otherwise)' },
      {
        name: 'explorer',
        value: 'NAME',
        choices: ['offline'],
        about: 'who looks: offline asks no model (as it does anyway)',
      },
      JSON_FLAG,
      { name: 'markdown', about: 'print Markdown for people (as it does anyway)' },
      { name: 'sarif', about: 'print SARIF 2.1.0, for editors and code scanning' },
      HELP,
    ],
    examples: [
      { line: 'black diagnose report.md', about: 'a report, a crash log or a stack trace in a file' },
      { line: 'black diagnose - --repo ../shop', about: 'what comes over standard input, about other code' },
      { line: 'black diagnose pallets/flask#5004', about: 'an issue on GitHub (GITHUB_TOKEN for private ones)' },
    ],
    notes: [
      {
        title: 'Exit codes',
        rows: [
          ['0', 'diagnosed, or no bug: the answer says which'],
          ['1', 'nothing here has to do with it, or there is no report'],
          ['2', 'wrong use'],
        ],
      },
    ],
  },
  {
    name: 'ast',
    about: 'Find code by its shape, and rewrite it: a pattern is code in which $X stands for anything.',
    usage: ["black ast 'PATTERN' [PATH…] [options]", "black ast 'PATTERN' [PATH…] --rewrite 'CODE' [--apply]"],
    words: { min: 1, max: Number.POSITIVE_INFINITY },
    flags: [
      { name: 'lang', value: 'L', about: 'only files of this language (otherwise each by its own)' },
      {
        name: 'rewrite',
        value: 'CODE',
        mayBeEmpty: true,
        about: 'what every match becomes; prints the difference only',
      },
      { name: 'apply', about: 'write the rewrite: all files, or none' },
      JSON_FLAG,
      HELP,
    ],
    examples: [
      { line: "black ast 'if ($X != null) $X.dispose()' --lang dart", about: 'guards that release what they checked' },
      { line: "black ast 'console.log($$$)' src", about: 'calls, however they are spaced' },
      { line: "black ast '$A && $A()' --rewrite '$A?.()'", about: 'the difference that it would make' },
      { line: "black ast 'old($X)' --rewrite 'fresh($X)' --apply", about: 'write it; black undo takes it back' },
    ],
    notes: [
      {
        title: 'In a pattern',
        rows: [
          ['$X', 'one piece of code; the same name again: the same code'],
          ['$_', 'one, not captured'],
          ['$$$X, $$$', 'any number of arguments, statements, members …'],
        ],
      },
      {
        title: 'Exit codes',
        rows: [
          ['0', 'something matches'],
          ['1', 'nothing does, or the rewrite cannot be made'],
          ['2', 'wrong use, or a pattern that is no code of the language'],
        ],
      },
    ],
  },
  {
    name: 'search',
    about: 'Find the code about something, best first: by the words in its names, comments, code and path.',
    usage: ['black search QUERY… [options]'],
    words: { min: 1, max: Number.POSITIVE_INFINITY },
    flags: [
      { name: 'limit', short: 'k', value: 'N', about: 'at most so many places (10 otherwise)' },
      { name: 'path', value: 'PATH', about: 'only below this folder, or in this file' },
      JSON_FLAG,
      HELP,
    ],
    examples: [
      { line: 'black search "retry after a rate limit"', about: 'where is that?' },
      { line: 'black search -k 3 --path src parse config', about: 'the three best below src' },
      { line: 'black search --json "save a note"', about: 'rank, path, startLine, endLine, symbol, score and why' },
    ],
  },
  {
    name: 'map',
    about: 'Map the repository: the files and symbols that matter most, and how its folders connect.',
    usage: ['black map [options]'],
    words: { min: 0, max: 0 },
    flags: [
      { name: 'tokens', value: 'N', about: 'how long it may be, in tokens of a model (1500 otherwise)' },
      { name: 'for', value: 'TEXT', about: 'a task: what it has to do with comes first' },
      JSON_FLAG,
      HELP,
    ],
    examples: [
      { line: 'black map', about: 'the whole, on a page' },
      { line: 'black map --for "retries when the server is busy"', about: 'seen from a task' },
      { line: 'black map --tokens 4000 | less', about: 'more of it' },
    ],
  },
  {
    name: 'index',
    about: 'Bring the index of this folder up to date, and say what is in it, what was left out, and why.',
    usage: ['black index [options]'],
    words: { min: 0, max: 0 },
    flags: [JSON_FLAG, HELP],
    examples: [
      { line: 'black index', about: 'only what changed is read again' },
      { line: 'black index --json', about: 'as data' },
    ],
    notes: [
      {
        title: 'Left out',
        rows: [
          ['.gitignore', 'what Git ignores, nested and negated rules too'],
          ['.blackideignore', 'the same for the index alone'],
        ],
      },
    ],
  },
  {
    name: 'mcp',
    about: 'Serve what is known of the code of a folder to other agents, by the Model Context Protocol. Only reads.',
    usage: ['black mcp [FOLDER]'],
    words: { min: 0, max: 1 },
    flags: [HELP],
    examples: [
      { line: 'black mcp', about: 'over standard input and output, until the input ends' },
      { line: 'black mcp ~/work/notes', about: 'of another folder than the working one' },
    ],
    notes: [
      {
        title: 'Tools',
        rows: [
          ['code_graph', 'what a symbol or file is, its callers, callees, references, impact, tests'],
          ['codebase_search', 'where is code about this'],
          ['repo_map', 'the files and symbols that matter, for a task too'],
          ['lsp', 'what language servers know; where one is usable'],
        ],
      },
    ],
  },
];
