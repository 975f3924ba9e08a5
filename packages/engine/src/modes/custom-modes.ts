import type { ConfigProblem } from '@black-ide/protocol';
import { FolderWatch, UserPatterns } from '@black-ide/workspace';
import type { BuiltInModes } from './built-in-modes.ts';
import { type ModeFile, type ModePlaces, modeFolders, readModeFolder } from './find-mode-files.ts';
import type { Mode, ModeSource } from './mode.ts';
import { TOOL_NAMES } from './tool-names.ts';

/** A mode that somebody wrote, and where. */
export interface CustomMode extends Mode {
  source: ModeSource;
  file: string;
}

export interface CustomModesOptions extends ModePlaces {
  builtIn: BuiltInModes;
}

/** The modes of the person, the workspace and its projects (IDE-37), read from their files whenever they are asked for. */
export class CustomModes {
  readonly #options: CustomModesOptions;
  #modes: ReadonlyMap<string, CustomMode> = new Map();
  #problems: readonly ConfigProblem[] = [];
  #watch: FolderWatch | undefined;
  #watched = '';

  constructor(options: CustomModesOptions) {
    this.#options = options;
  }

  /** What was read last, by name in lower case. */
  get modes(): ReadonlyMap<string, CustomMode> {
    return this.#modes;
  }

  get problems(): readonly ConfigProblem[] {
    return this.#problems;
  }

  /** Reads all of them anew. A faulty file is reported and never keeps the others from being there. */
  async load(): Promise<void> {
    const modes = new Map<string, CustomMode>();
    const problems: ConfigProblem[] = [];
    // The strongest first: who comes to a name later has lost it.
    for (const folder of (await modeFolders(this.#options)).toReversed()) {
      for (const file of await readModeFolder(folder, this.#options.documents)) {
        const mode = await this.#read(file, modes, problems);
        if (mode) modes.set(mode.name.toLowerCase(), mode);
      }
    }
    this.#modes = modes;
    this.#problems = problems.sort((a, b) => (a.file < b.file ? -1 : Number(a.file > b.file)) || a.line - b.line);
  }

  /**
   * Has `onChange` called when a mode file was created, changed or deleted, and read. Folders that come to be watched
   * later, e.g. because the workspace is trusted now, need another call.
   */
  async watch(onChange: () => void): Promise<void> {
    const folders = (await modeFolders(this.#options)).map(({ path }) => path);
    if (folders.join('\n') === this.#watched) return;
    this.#watched = folders.join('\n');
    await this.#watch?.dispose();
    this.#watch = await FolderWatch.start({ folders, onChange: () => void this.load().then(onChange) });
  }

  async dispose(): Promise<void> {
    await this.#watch?.dispose();
  }

  async #read(
    { source, file, text, problem }: ModeFile,
    taken: ReadonlyMap<string, CustomMode>,
    problems: ConfigProblem[],
  ): Promise<CustomMode | undefined> {
    if (text === undefined) {
      problems.push({ file, line: 0, column: 0, severity: 'error', message: problem ?? 'it cannot be read' });
      return undefined;
    }
    // Its YAML parser is a start-up cost that only who has modes of their own pays.
    const { parseMode } = await import('./parse-mode.ts');
    const parsed = parseMode(text, file);
    problems.push(...parsed.problems);
    const { mode } = parsed;
    if (!mode) return undefined;
    const report = (severity: ConfigProblem['severity'], key: string, message: string, index?: number): void => {
      problems.push({ file, ...parsed.positionOf(key, index), severity, message });
    };
    if (this.#options.builtIn.isTaken(mode.name)) {
      report('error', 'name', `\`${mode.name}\` is the name of a built-in mode`);
      return undefined;
    }
    const winner = taken.get(mode.name.toLowerCase());
    if (winner) {
      report('warning', 'name', `the mode \`${mode.name}\` is that of ${winner.file}, which goes before it`);
      return undefined;
    }
    for (const [index, tool] of (mode.tools ?? []).entries()) {
      if (!TOOL_NAMES.has(tool)) report('warning', 'tools', `there is no tool \`${tool}\``, index);
    }
    const mayEdit = await this.#pattern(mode.fileRegex, (message) => report('error', 'fileRegex', message));
    if (mayEdit === 'faulty') return undefined;
    return { ...mode, ...(mayEdit ? { mayEdit } : {}), source, file };
  }

  /** A pattern runs in time in proportion to the path, whatever it says: RE2's algorithm. */
  async #pattern(
    source: string | undefined,
    report: (message: string) => void,
  ): Promise<((path: string) => boolean) | 'faulty' | undefined> {
    if (source === undefined) return undefined;
    const patterns = await UserPatterns.compile('allow', [source]);
    const fault = patterns.diagnostics[0];
    if (!fault) return (path) => patterns.find([path]) !== undefined;
    report(`\`fileRegex\` does not hold: ${fault.message.replace(/\.$/, '')}`);
    return 'faulty';
  }
}
