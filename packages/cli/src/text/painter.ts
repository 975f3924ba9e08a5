type Env = Readonly<Record<string, string | undefined>>;

/** Colours out of the terminal's own 16, or none. */
export interface Painter {
  dim(text: string): string;
  bold(text: string): string;
  /** What needs a person. */
  accent(text: string): string;
  good(text: string): string;
  bad(text: string): string;
  italic(text: string): string;
  /** What does not hold any more. */
  struck(text: string): string;
  /** Words of a program in running text. */
  code(text: string): string;
}

const PLAIN: Painter = {
  dim: same,
  bold: same,
  accent: same,
  good: same,
  bad: same,
  italic: same,
  // Without its marks it would say the opposite.
  struck: (text) => `~~${text}~~`,
  code: same,
};

const COLOURED: Painter = {
  dim: (text) => `\u001b[2m${text}\u001b[22m`,
  bold: (text) => `\u001b[1m${text}\u001b[22m`,
  accent: (text) => `\u001b[33m${text}\u001b[39m`,
  good: (text) => `\u001b[32m${text}\u001b[39m`,
  bad: (text) => `\u001b[31m${text}\u001b[39m`,
  italic: (text) => `\u001b[3m${text}\u001b[23m`,
  struck: (text) => `\u001b[9m${text}\u001b[29m`,
  code: (text) => `\u001b[36m${text}\u001b[39m`,
};

/** Whether a stream takes escape sequences: a terminal that says what it is, and is not dumb. */
export function canPaint({ TERM }: Env, isTerminal: boolean): boolean {
  return isTerminal && TERM !== undefined && TERM !== '' && TERM !== 'dumb';
}

/** The painter for a stream: colours only where they work and `NO_COLOR` is not set. */
export function painter(env: Env, isTerminal: boolean): Painter {
  return canPaint(env, isTerminal) && !env.NO_COLOR ? COLOURED : PLAIN;
}

function same(text: string): string {
  return text;
}
