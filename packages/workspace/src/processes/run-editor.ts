import { spawn } from 'node:child_process';
import { isAbsolute } from 'node:path';
import { BlackError } from '@black-ide/protocol';
import { findProgram } from '../doctor/find-program.ts';
import { cleanEnvironment } from './clean-environment.ts';

export interface EditorOptions {
  env: Readonly<Record<string, string | undefined>>;
  /** Where it runs. Programs inside are not taken for editors. */
  cwd: string;
  platform?: NodeJS.Platform;
}

/** What is looked for where the person has named none. */
const USUAL = { posix: ['nano', 'vim', 'vi'], win32: ['notepad'] } as const;

/** What an editor is to know of the terminal and the person, although a command is not told. */
const KEPT = [
  'TERM',
  'COLORTERM',
  'TERM_PROGRAM*',
  'VIMINIT',
  'EXINIT',
  'VSCODE_*',
  'VISUAL',
  'EDITOR',
  'PAGER',
  'NO_COLOR',
];

/**
 * Opens files in the person's editor, which has the terminal until it ends: `VISUAL`, else `EDITOR`, else one that is
 * usual. No shell is in between, so a file's name is a name and nothing else.
 * @param files absolute paths
 * @throws BlackError `no_editor`, `editor_failed`.
 */
export async function runEditor(files: readonly string[], options: EditorOptions): Promise<void> {
  const [program, ...args] = editorWords(options);
  const child = spawn(program!, [...args, ...files], {
    cwd: options.cwd,
    env: cleanEnvironment(options.env, { keep: KEPT }),
    stdio: 'inherit',
  });
  const ended = await new Promise<string | undefined>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) =>
      resolve(code === 0 ? undefined : signal ? `signal ${signal}` : `code ${code}`),
    );
  }).catch((cause: Error) => cause.message);
  if (ended === undefined) return;
  throw new BlackError('editor_failed', `${program} ended with ${ended}.`, 'Look whether VISUAL or EDITOR is right.');
}

/** The editor's program and its own arguments. */
function editorWords({ env, cwd, platform = process.platform }: EditorOptions): string[] {
  const named = env.VISUAL?.trim() || env.EDITOR?.trim();
  const search = { env, workspace: cwd, platform };
  if (!named) {
    const usual = platform === 'win32' ? USUAL.win32 : USUAL.posix;
    const found = usual.map((name) => findProgram(name, search)).find((path) => path !== undefined);
    if (found) return [found];
    throw new BlackError('no_editor', 'No editor was found.', 'Set EDITOR, or edit the files by other means.');
  }
  const [name = '', ...args] = splitWords(named);
  const program = isAbsolute(name) ? name : findProgram(name, search);
  if (program) return [program, ...args];
  throw new BlackError('no_editor', `The editor ${name} was not found.`, 'Set VISUAL or EDITOR to one that is there.');
}

/** Words as a shell would split them, with quotes and nothing else. */
function splitWords(line: string): string[] {
  const words = line.match(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g) ?? [];
  return words.map((word) =>
    word.replaceAll(/"([^"]*)"|'([^']*)'/g, (_whole, double?: string, single?: string) => double ?? single ?? ''),
  );
}
