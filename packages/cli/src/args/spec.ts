export interface FlagSpec {
  name: string;
  short?: string;
  /** The placeholder of its value; a flag without one is a switch. */
  value?: string;
  /** It may be given several times, each with a value of its own. */
  many?: true;
  /** The value may be left out where nothing follows. */
  optional?: boolean;
  /** The value may be empty. */
  mayBeEmpty?: boolean;
  choices?: readonly string[];
  about: string;
}

export interface CommandSpec {
  /** As typed after `black`; empty for `black -p`. */
  name: string;
  about: string;
  usage: readonly string[];
  flags: readonly FlagSpec[];
  /** How many words it takes. */
  words: { min: number; max: number };
  examples: readonly { line: string; about: string }[];
  /** Titled lists after the options. */
  notes?: readonly { title: string; rows: readonly (readonly [string, string])[] }[];
}

export const HELP: FlagSpec = { name: 'help', short: 'h', about: 'show this help' };
export const JSON_FLAG: FlagSpec = { name: 'json', about: 'print JSON' };
