import { BlackError, problemText } from '@black-ide/protocol';
import { type Documents, ownFolders, PathGuard, readSettings } from '@black-ide/workspace';
import { checkPatterns } from './check-patterns.ts';
import { type EffectiveSettings, mergeSettings } from './merge-settings.ts';
import { readSettingsLayer, type SettingsLayer } from './read-settings-layer.ts';
import type { Settings } from './settings-table.ts';

export interface EngineSettingsOptions {
  /** The state folder, with the person's `settings.json`. */
  home: string;
  /** The workspace. */
  root: string;
  env: Readonly<Record<string, string | undefined>>;
  documents: Documents;
  /** Whether the workspace's own file may be read. */
  isTrusted(): boolean;
  /** What the person said for this run. */
  flags?: Partial<Settings>;
}

/** A larger file is no settings that anybody wrote. */
const MOST_BYTES = 1024 * 1024;

/** The settings that hold now: read anew whenever they are asked for, so that a change counts from the next task on. */
export class EngineSettings {
  readonly #options: EngineSettingsOptions;

  constructor(options: EngineSettingsOptions) {
    this.#options = options;
  }

  /** Never throws: what is wrong is in `problems`, and closes what would run unasked. */
  async load(): Promise<EffectiveSettings> {
    const { flags, env } = this.#options;
    const user = this.#user();
    const workspace = this.#options.isTrusted() ? await this.#workspace() : undefined;
    const merged = mergeSettings({
      env,
      ...(flags ? { flags } : {}),
      ...(user ? { user } : {}),
      ...(workspace ? { workspace } : {}),
    });
    const faulty = await checkPatterns(merged);
    const error = faulty.find(({ severity }) => severity === 'error');
    const closed = merged.closed ?? (error && problemText(error));
    return { ...merged, problems: [...merged.problems, ...faulty], ...(closed ? { closed } : {}) };
  }

  #user(): SettingsLayer | undefined {
    const { home } = this.#options;
    try {
      const { path, text } = readSettings(home);
      return text === undefined ? undefined : readSettingsLayer(path, text);
    } catch (cause) {
      return unreadable(`${home}/settings.json`, BlackError.toValue(cause).message);
    }
  }

  async #workspace(): Promise<SettingsLayer | undefined> {
    const { root, documents } = this.#options;
    const guard = new PathGuard({ root });
    for (const folder of ownFolders(root)) {
      const file = `${folder}/settings.json`;
      const resolved = guard.resolve(file, 'read');
      if (!resolved.ok) return unreadable(file, resolved.message);
      if (!resolved.exists) continue;
      const looked = await documents.stat(resolved.real);
      if (looked.ok && looked.stat.size > MOST_BYTES) return unreadable(file, 'it is too large');
      const read = await documents.read(resolved.real);
      if (!read.ok) return unreadable(file, read.error.message);
      if (read.document.text === null) return unreadable(file, 'it is no text');
      return readSettingsLayer(file, read.document.text, true);
    }
    return undefined;
  }
}

function unreadable(file: string, why: string): SettingsLayer {
  const position = { line: 0, column: 0 };
  const message = `it cannot be read: ${why.replace(/\.$/, '')}`;
  return { file, values: {}, placeOf: () => position, problems: [{ file, severity: 'error', ...position, message }] };
}
