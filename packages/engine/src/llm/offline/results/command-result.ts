import { stripVTControlCharacters } from 'node:util';

export interface CommandResult {
  output: string;
  /** Undefined where the command did not come to its own end. */
  exitCode?: number;
  /** How it ended otherwise, e.g. `timed out after 600.0 s and was ended`. */
  ended?: string;
  /** As it was written, e.g. `3.2 s`. */
  took?: string;
}

const FOOTER = /\n?\[(?:exit code (-?\d+)|(ended by [^,\]]+|timed out[^,\]]*))(?:, ([^\]]+))?\]\s*$/;

/** Reads the text of a `run_command` result; colours and other escape sequences are taken out. */
export function parseCommand(text: string): CommandResult {
  const footer = FOOTER.exec(text);
  const output = stripVTControlCharacters(footer ? text.slice(0, footer.index) : text).replace(/\r\n?/g, '\n');
  if (!footer) return { output };
  const [, exitCode, ended, took] = footer;
  return {
    output,
    ...(exitCode ? { exitCode: Number(exitCode) } : {}),
    ...(ended ? { ended } : {}),
    ...(took ? { took } : {}),
  };
}
