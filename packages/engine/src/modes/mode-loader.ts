import { BlackError, type ConfigProblem, type ModeSummary, problemText } from '@black-ide/protocol';
import { BuiltInModes } from './built-in-modes.ts';
import { CustomModes } from './custom-modes.ts';
import type { ModePlaces } from './find-mode-files.ts';
import type { Mode, ModeSource } from './mode.ts';

/** The modes there are: the product's own, and those that people wrote. Names match without regard to case. */
export class ModeLoader {
  readonly #builtIn = new BuiltInModes();
  readonly #custom: CustomModes;
  readonly #isTrusted: () => boolean;

  constructor(places: ModePlaces) {
    this.#custom = new CustomModes({ ...places, builtIn: this.#builtIn });
    this.#isTrusted = () => places.isTrusted(places.root);
  }

  /** The mode of this name. Files of custom modes are read for a name that is not built in. @throws BlackError `unknown_mode`. */
  async find(name: string): Promise<Mode> {
    const builtIn = this.#builtIn.get(name);
    if (builtIn) return builtIn;
    await this.#custom.load();
    return this.get(name);
  }

  /** The same out of what was read last. @throws BlackError `unknown_mode` naming those there are. */
  get(name: string): Mode {
    const found = this.#builtIn.get(name) ?? this.#custom.modes.get(name.toLowerCase());
    if (found) return found;
    const names = this.#all().flatMap(({ mode }) => (mode.selectable === false ? [] : [mode.name]));
    const faulty = this.#custom.problems.find(
      ({ file, severity }) => severity === 'error' && file.toLowerCase().endsWith(`/${name.toLowerCase()}.md`),
    );
    const fault = faulty ? ` Its file has a fault: ${problemText(faulty)}` : '';
    const hidden = this.#isTrusted() ? '' : ' Modes of this folder are not read: it is not trusted (`black trust`).';
    throw new BlackError(
      'unknown_mode',
      `There is no mode \`${name}\`.${fault}`,
      `Choose one of: ${names.join(', ')}.${hidden}`,
    );
  }

  /** Every mode as it is on the disk now, and what is wrong with the files. */
  async list(): Promise<{ modes: ModeSummary[]; problems: ConfigProblem[] }> {
    await this.#custom.load();
    return { modes: this.#all().map(summary), problems: [...this.#custom.problems] };
  }

  /** Reads the files of custom modes anew, and nothing else. */
  load(): Promise<void> {
    return this.#custom.load();
  }

  /** What was wrong with the files that were read last. */
  get problems(): readonly ConfigProblem[] {
    return this.#custom.problems;
  }

  /** Has `onChange` called when a mode file has changed. */
  watch(onChange: () => void): Promise<void> {
    return this.#custom.watch(onChange);
  }

  dispose(): Promise<void> {
    return this.#custom.dispose();
  }

  #all(): Listed[] {
    const own = this.#builtIn.names().map((name) => ({ mode: this.#builtIn.get(name)!, source: 'built-in' as const }));
    const custom = [...this.#custom.modes.values()].map((mode) => ({ mode, source: mode.source, file: mode.file }));
    return [...own, ...custom.sort((a, b) => (a.mode.name < b.mode.name ? -1 : 1))];
  }
}

interface Listed {
  mode: Mode;
  source: ModeSource;
  file?: string;
}

function summary({ mode, source, file }: Listed): ModeSummary {
  const { name, description, icon, model, tools, maxIterations, fileRegex, selectable = true } = mode;
  return {
    name,
    description,
    source,
    ...(file ? { file } : {}),
    ...(icon ? { icon } : {}),
    ...(model ? { model } : {}),
    ...(tools ? { tools } : {}),
    maxIterations,
    ...(fileRegex ? { fileRegex } : {}),
    selectable,
  };
}
