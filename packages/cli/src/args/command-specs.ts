import { CODE_COMMANDS } from './code-specs.ts';
import { CONFIGURATION_COMMANDS } from './configuration-specs.ts';
import { DEBUG_COMMANDS } from './debug-specs.ts';
import { LANGUAGE_COMMANDS } from './language-specs.ts';
import { POLICY_COMMANDS } from './policy-specs.ts';
import { SESSION_COMMANDS } from './session-specs.ts';
import { type CommandSpec, type FlagSpec, HELP, JSON_FLAG } from './spec.ts';

/**
 * Every command of `black` and its options, as data: the parser, the suggestions and the help all read this table, so
 * that nothing is described that does not exist. (`black -p` is the command named ``.)
 */

export type { CommandSpec, FlagSpec } from './spec.ts';

export const THINKING_LEVELS = ['off', 'low', 'medium', 'high'] as const;
export const OUTPUT_FORMATS = ['text', 'json', 'stream-json'] as const;

const OUTPUT: FlagSpec = {
  name: 'output',
  value: 'FORMAT',
  choices: OUTPUT_FORMATS,
  about: 'what stdout gets: text (the answer), json (one object at the end) or stream-json (one event a line)',
};
const AUTO_APPROVE: FlagSpec = {
  name: 'auto-approve',
  about: 'answer permission questions with yes; what is denied stays denied',
};
const TRUST: FlagSpec = {
  name: 'trust',
  about:
    'trust this folder for this run: changes and commands, its AGENTS.md, settings and modes (black trust: for good)',
};
const LASTING: FlagSpec = {
  name: 'for',
  value: 'HOW-LONG',
  choices: ['session', 'folder'],
  about: 'allow what the question offers from now on: in this session, or in this folder',
};
const YES: FlagSpec = { name: 'yes', about: '--approve-plan and --auto-approve together' };

const RUN: CommandSpec = {
  name: '',
  about: 'An autonomous coding agent that people can trust.',
  usage: ['black [options] [PROMPT…]', 'black -p [options] PROMPT…', 'black COMMAND [options]'],
  words: { min: 0, max: Number.POSITIVE_INFINITY },
  flags: [
    { name: 'print', short: 'p', about: 'do one task and print the result; standard input is added to the prompt' },
    OUTPUT,
    { name: 'plain', about: 'in the terminal UI only append lines: for screen readers (also BLACK_PLAIN=1)' },
    { name: 'mode', value: 'MODE', about: 'the mode to work in, e.g. Ask or Agent' },
    { name: 'model', value: 'PROVIDER/MODEL', about: 'the model to use, e.g. anthropic/claude-sonnet-5-5' },
    {
      name: 'thinking',
      value: 'LEVEL',
      choices: THINKING_LEVELS,
      about: 'how much the model thinks first: off, low, medium or high; the session keeps it',
    },
    { name: 'continue', short: 'c', about: "go on with this folder's newest session" },
    {
      name: 'resume',
      short: 'r',
      value: 'SESSION',
      optional: true,
      about: 'go on with this session: its id or the beginning of it; left out at the end, choose from a list',
    },
    YES,
    AUTO_APPROVE,
    { name: 'plan', about: 'plan first, whatever the prompt is' },
    { name: 'no-plan', about: 'do not plan first (BLACK_PLANNING=off: never)' },
    { name: 'approve-plan', about: 'approve the plan in advance; permission questions still ask' },
    TRUST,
    {
      name: 'max-iterations',
      value: 'N',
      about: "stop and ask after N turns (1 to 500; the mode's own limit otherwise)",
    },
    { name: 'max-cost', value: 'USD', about: 'stop when the task has cost this many US dollars' },
    { name: 'max-tokens', value: 'N', about: 'stop when the task has used this many tokens, cached ones too' },
    {
      name: 'max-time',
      value: 'TIME',
      about: 'stop after this much work: seconds, or e.g. 90s, 15m, 2h; waiting for you does not count',
    },
    HELP,
    { name: 'version', short: 'v', about: 'print the version' },
  ],
  examples: [
    { line: 'black', about: 'open the terminal UI in this folder' },
    { line: 'black -c "Now fix it"', about: 'open the newest session there and go on with it' },
    { line: 'black -p "Where is the config file read?"', about: 'ask about the code in this folder' },
    { line: 'npm test 2>&1 | black -p "Why does this fail?"', about: 'standard input is added to the prompt' },
    { line: 'black -p -c "Now fix it"', about: 'go on with the newest session' },
    { line: 'black -p --output json "Run the tests"', about: 'one JSON object on stdout' },
    {
      line: 'black -p "Fix the title check"',
      about: 'makes a plan and stops with 3; black approve latest carries it out',
    },
  ],
  notes: [
    {
      title: 'Exit codes',
      rows: [
        ['0', 'done'],
        ['1', 'failed'],
        ['2', 'wrong use'],
        ['3', 'it needs an approval (black approve), or the folder is not trusted (black trust)'],
        ['4', 'stopped: the limit of turns or the budget is reached'],
        ['130', 'cancelled'],
      ],
    },
    {
      title: 'Environment',
      rows: [
        ['ANTHROPIC_API_KEY', 'use Anthropic models (ANTHROPIC_BASE_URL: another address)'],
        ['OPENAI_API_KEY', 'use OpenAI models'],
        ['OPENAI_BASE_URL', 'an OpenAI-compatible server'],
        ['GEMINI_API_KEY', 'use Google models (GOOGLE_API_KEY as well)'],
        ['OPENROUTER_API_KEY', 'use the models of OpenRouter'],
        ['OLLAMA_HOST', 'where Ollama listens (127.0.0.1:11434 otherwise)'],
        ['BRAVE_API_KEY', 'search the web with Brave (TAVILY_API_KEY, SEARXNG_URL: others; DuckDuckGo without)'],
        ['BLACKIDE_HOME', 'where sessions and indexes are kept (~/.blackide otherwise)'],
        ['BLACK_PLAIN', 'as --plain'],
        ['BLACK_PLANNING', 'standard, strict (questions are planned too) or off'],
        ['NO_COLOR', 'no colours'],
      ],
    },
  ],
};

function answering(name: 'approve' | 'reject', about: string, does: string): CommandSpec {
  return {
    name,
    about,
    usage: [`black ${name} SESSION [REQUEST] [options]`],
    words: { min: 1, max: 2 },
    flags: [
      {
        name: 'reason',
        value: 'TEXT',
        about: 'words that go with the answer, or the answer itself; the model reads them',
      },
      ...(name === 'approve' ? [LASTING] : []),
      ...(name === 'reject'
        ? [{ name: 'feedback', value: 'TEXT', about: 'the same: what a plan should be like; it is made anew' }]
        : []),
      OUTPUT,
      YES,
      AUTO_APPROVE,
      TRUST,
      HELP,
    ],
    examples: [
      { line: `black ${name} 4f1c2a7b`, about: `${does} what this session asks, then go on` },
      { line: `black ${name} 4f1c2a7b 9d3e`, about: 'one of several questions' },
      ...(name === 'approve'
        ? [{ line: 'black approve 4f1c2a7b --reason "the blue one"', about: 'answer a question of the model' }]
        : []),
      ...(name === 'reject'
        ? [
            { line: 'black reject 4f1c2a7b --reason "use pnpm"', about: 'say what to do instead' },
            { line: 'black reject latest --feedback "leave the API as it is"', about: 'have the plan made anew' },
          ]
        : []),
    ],
  };
}

export const COMMANDS: readonly CommandSpec[] = [
  RUN,
  answering('approve', 'Say yes to what a stopped session asks, and go on.', 'allow'),
  answering('reject', 'Say no to what a stopped session asks, and go on.', 'refuse'),
  {
    name: 'undo',
    about: "Take back what a session has changed: its newest message's changes, one file's, or show them.",
    usage: ['black undo [SESSION] [options]'],
    words: { min: 0, max: 1 },
    flags: [
      { name: 'list', about: 'show what was changed, by message, and how it stands; change nothing' },
      { name: 'message', value: 'ID', about: 'the changes of this message' },
      { name: 'file', value: 'PATH', about: 'the changes of this file' },
      { name: 'redo', about: 'take the last undo back' },
      { name: 'merge', about: 'go on where you or others have changed the files since; that stays' },
      JSON_FLAG,
      HELP,
    ],
    examples: [
      { line: 'black undo --list', about: "what this folder's newest session has changed" },
      { line: 'black undo', about: 'take the newest message back' },
      { line: 'black undo 4f1c2a7b --file src/store.ts', about: 'one file of another session' },
      { line: 'black undo --redo', about: 'and back again' },
    ],
  },
  ...CODE_COMMANDS,
  ...SESSION_COMMANDS,
  ...CONFIGURATION_COMMANDS,
  {
    name: 'models',
    about: 'List the models that can be asked, with what is known of them.',
    usage: ['black models [options]'],
    words: { min: 0, max: 0 },
    flags: [
      { name: 'provider', value: 'PROVIDER', about: 'of this provider only, whether there is a key or not' },
      { name: 'refresh', about: 'ask the provider anew; a list is kept for a day otherwise' },
      JSON_FLAG,
      HELP,
    ],
    examples: [
      { line: 'black models', about: 'of every provider with a key' },
      { line: 'black models --provider ollama --refresh', about: 'what runs on this machine now' },
    ],
  },
  {
    name: 'auth',
    about: 'Keep the keys of providers in the keyring of this machine.',
    usage: ['black auth list', 'black auth set PROVIDER [--file]', 'black auth remove PROVIDER'],
    words: { min: 1, max: 1 },
    flags: [HELP],
    examples: [
      { line: 'black auth set anthropic', about: 'asks for the key without showing it' },
      { line: 'black auth list', about: 'which providers have a key, and where' },
    ],
  },
  {
    name: 'auth list',
    about: 'List the providers, and where their keys are.',
    usage: ['black auth list [options]'],
    words: { min: 0, max: 0 },
    flags: [JSON_FLAG, HELP],
    examples: [{ line: 'black auth list --json', about: 'as data; never with a key' }],
  },
  {
    name: 'auth set',
    about: 'Store the key of a provider. It is asked for, or read from standard input; never an argument.',
    usage: ['black auth set PROVIDER [options]'],
    words: { min: 1, max: 1 },
    flags: [{ name: 'file', about: 'in a file that only you can read, even where there is a keyring' }, HELP],
    examples: [
      { line: 'black auth set openai', about: 'asks for it' },
      { line: 'echo "$MY_KEY" | black auth set openai', about: 'from another program' },
    ],
  },
  {
    name: 'auth remove',
    about: 'Forget the stored key of a provider.',
    usage: ['black auth remove PROVIDER'],
    words: { min: 1, max: 1 },
    flags: [HELP],
    examples: [{ line: 'black auth remove openai', about: 'a key in the environment stays there' }],
  },
  {
    name: 'doctor',
    about: 'Say what works on this machine, what does not, and the command that mends it.',
    usage: ['black doctor [options]'],
    words: { min: 0, max: 0 },
    flags: [JSON_FLAG, HELP],
    examples: [
      { line: 'black doctor', about: 'exit code 0 when the basics work' },
      { line: 'black doctor --json', about: 'as data' },
    ],
  },
  ...DEBUG_COMMANDS,
  ...POLICY_COMMANDS,
  ...LANGUAGE_COMMANDS,
  {
    name: 'host',
    about: 'Serve the engine over standard input and output, one JSON value a line.',
    usage: ['black host'],
    words: { min: 0, max: 0 },
    flags: [HELP],
    examples: [
      {
        line: 'echo \'{"id":1,"command":{"type":"hello","protocol":1}}\' | black host',
        about: 'say hello to the engine',
      },
    ],
  },
  {
    name: 'help',
    about: 'Show the help of black or of one command.',
    usage: ['black help [COMMAND]'],
    words: { min: 0, max: 2 },
    flags: [HELP],
    examples: [{ line: 'black help sessions', about: 'the same as black sessions --help' }],
  },
];

/** The command of that exact name, e.g. `sessions list`. */
export function commandSpec(name: string): CommandSpec | undefined {
  return COMMANDS.find((spec) => spec.name === name);
}
