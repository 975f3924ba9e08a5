import { stripVTControlCharacters } from 'node:util';

export interface CommandResult {
  output: string;
  /** Undefined where the command did not come to its end. */
  exitCode?: number;
  /** As it was written, e.g. `3.2 s`. */
  took?: string;
}

const FOOTER = /\n?\[exit code (-?\d+)(?:, ([^\]]+))?\]\s*$/;

/** Reads the text of a `run_command` result; colours and other escape sequences are taken out. */
export function parseCommand(text: string): CommandResult {
  const footer = FOOTER.exec(text);
  const output = stripVTControlCharacters(footer ? text.slice(0, footer.index) : text).replace(/\r\n?/g, '\n');
  if (!footer) return { output };
  return { output, exitCode: Number(footer[1]), ...(footer[2] ? { took: footer[2] } : {}) };
}
