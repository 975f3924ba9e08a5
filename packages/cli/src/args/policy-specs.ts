import { type CommandSpec, HELP } from './spec.ts';

/** The commands about what may run. */
export const POLICY_COMMANDS: readonly CommandSpec[] = [
  {
    name: 'policy',
    about: 'Say what may run unasked, and why.',
    usage: ['black policy explain [options] -- COMMAND'],
    words: { min: 1, max: 1 },
    flags: [HELP],
    examples: [{ line: 'black policy explain -- "git log | head"', about: 'what becomes of this command, and why' }],
  },
  {
    name: 'policy explain',
    about: 'Say what the gate would do with a command: allow it, ask, or deny it. Nothing runs.',
    usage: ['black policy explain [options] -- COMMAND', 'black policy explain [options] < COMMANDS'],
    words: { min: 0, max: Number.POSITIVE_INFINITY },
    flags: [
      { name: 'cwd', value: 'FOLDER', about: 'as if it ran in this folder of the workspace' },
      { name: 'json', about: 'one line of JSON for each command: decision, stage, rule, why' },
      HELP,
    ],
    examples: [
      { line: 'black policy explain -- "git log | head"', about: 'every simple part is judged by itself' },
      { line: 'black policy explain --json -- "rm -rf ~"', about: 'decision, stage, rule and why as JSON' },
      {
        line: 'black policy explain --json < commands.txt',
        about: 'one command a line; {"command":"…"} may stand for one',
      },
    ],
    notes: [
      {
        title: 'Stages',
        rows: [
          ['1 2 3', 'the tools of the mode, the arguments, the folder'],
          ['4', 'what never runs'],
          ['5', 'your own commandPolicy.deny'],
          ['6', 'hooks'],
          ['7', 'your commandPolicy.allow, and what you allowed from now on'],
          ['8', 'what can be shown to change nothing'],
          ['9', 'what is approved in advance (--auto-approve, autoApproveTerminal)'],
          ['10', 'you are asked; where nobody is there, it is refused'],
        ],
      },
    ],
  },
];
