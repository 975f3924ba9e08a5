import { type CommandSpec, HELP, JSON_FLAG } from './spec.ts';

/** Looking into a running program. */
export const DEBUG_COMMANDS: readonly CommandSpec[] = [
  {
    name: 'debug',
    about: 'Run a program or test until it stops, and show where: the stack, the locals, the lines around.',
    usage: ['black debug [options] -- COMMAND [ARGUMENT…]'],
    words: { min: 1, max: Number.POSITIVE_INFINITY },
    flags: [
      {
        name: 'break',
        short: 'b',
        value: 'PLACE',
        many: true,
        about: 'stop at FILE:LINE or a function; may be repeated',
      },
      {
        name: 'exceptions',
        value: 'WHICH',
        choices: ['uncaught', 'all', 'none'],
        about: 'stop at those that make the program or a test fail (uncaught, the default), at all, or at none',
      },
      { name: 'first-line', about: 'stop before the first line' },
      {
        name: 'adapter',
        value: 'NAME',
        choices: ['node', 'debugpy', 'delve', 'lldb-dap', 'gdb'],
        about: 'the debugger; chosen by the command otherwise',
      },
      JSON_FLAG,
      HELP,
    ],
    examples: [
      { line: 'black debug -- node --test store.test.ts', about: 'stop where the test fails' },
      { line: 'black debug -b src/store.ts:42 -- npm test', about: 'stop at a line, in whatever npm starts' },
      { line: 'black debug -- python3 -m pytest tests/test_store.py', about: 'Python, with debugpy' },
      { line: 'black debug -- go test ./store -run TestOpen', about: 'Go, with Delve' },
      { line: 'black debug -b main -- ./build/app --check', about: 'C, C++, Rust, with lldb-dap or GDB' },
    ],
    notes: [
      {
        title: 'At a stop, in a terminal',
        rows: [
          ['c, n, s, o', 'go on; over the next line; into a call; out of the function'],
          ['p EXPRESSION', 'evaluate it in the frame'],
          ['v REF', 'what is in a value'],
          ['bt, t, l', 'the stack; the threads; where it stands'],
          ['b PLACE', 'another breakpoint'],
          ['q', 'end the program'],
        ],
      },
      {
        title: 'Exit codes',
        rows: [
          ['0', 'it stopped at a breakpoint, or ended well without'],
          ['1', 'it stopped at an exception, or failed'],
          ['2', 'wrong use'],
          ['4', 'ten minutes are over'],
          ['130', 'cancelled'],
        ],
      },
    ],
  },
];
