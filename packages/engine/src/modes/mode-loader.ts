import { BlackError } from '@black-ide/protocol';
import { readAsset } from '@black-ide/workspace';
import type { Mode } from './mode.ts';
import { parseMode } from './parse-mode.ts';

const FOLDER = new URL('../../modes/', import.meta.url);
const BUILT_IN = ['agent', 'ask'] as const;

/** The modes there are, each read from its Markdown file at its first use. */
export class ModeLoader {
  readonly #loaded = new Map<string, Mode>();

  /** The mode of this name, without regard to case. @throws BlackError `unknown_mode` naming those there are. */
  get(name: string): Mode {
    const key = name.toLowerCase();
    const known = this.#loaded.get(key);
    if (known) return known;
    if (!(BUILT_IN as readonly string[]).includes(key)) {
      const names = this.names().join(', ');
      throw new BlackError('unknown_mode', `There is no mode \`${name}\`.`, `Choose one of: ${names}.`);
    }
    const mode = parseMode(readAsset(new URL(`${key}.md`, FOLDER)), `${key}.md`);
    this.#loaded.set(key, mode);
    return mode;
  }

  names(): string[] {
    return BUILT_IN.map((key) => this.get(key).name);
  }
}
