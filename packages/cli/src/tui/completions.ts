import type { AutocompleteItem, AutocompleteProvider, AutocompleteSuggestions } from '@earendil-works/pi-tui';
import { visibleLine } from '../text/visible-text.ts';
import { rankPaths } from './rank-paths.ts';
import type { SlashCommand } from './slash-commands.ts';

/** What completions are made of; asked for when it is needed. */
export interface CompletionSource {
  commands(): readonly SlashCommand[];
  paths(): Promise<readonly string[]>;
  /** What can stand after a command, e.g. the models after `/model`. */
  argumentsOf(command: string): Promise<readonly { value: string; about?: string }[]>;
}

const LIMIT = 20;

/** Completes `/commands`, what stands after them, and `@files`. */
export class Completions implements AutocompleteProvider {
  readonly triggerCharacters = ['@'];
  readonly #source: CompletionSource;

  constructor(source: CompletionSource) {
    this.#source = source;
  }

  async getSuggestions(
    lines: string[],
    cursorLine: number,
    cursorCol: number,
    { force = false }: { signal: AbortSignal; force?: boolean },
  ): Promise<AutocompleteSuggestions | null> {
    const before = (lines[cursorLine] ?? '').slice(0, cursorCol);
    const command = cursorLine === 0 ? /^\/([a-z]*)$/.exec(before) : undefined;
    if (command) return found(before, commandItems(this.#source.commands(), command[1]!));
    const argument = cursorLine === 0 ? /^\/([a-z]+)\s+(\S*)$/.exec(before) : undefined;
    if (argument) return found(argument[2]!, await this.#argumentItems(argument[1]!, argument[2]!));
    const file = /(?:^|[\s(])(@"?)([^\s"]*)$/.exec(before);
    if (file) return found(file[1]! + file[2]!, await this.#fileItems(file[2]!, true));
    const word = force ? /(\S+)$/.exec(before)?.[1] : undefined;
    return word ? found(word, await this.#fileItems(word, false)) : null;
  }

  applyCompletion(lines: string[], cursorLine: number, cursorCol: number, item: AutocompleteItem, prefix: string) {
    const line = lines[cursorLine] ?? '';
    const start = cursorCol - prefix.length;
    // A folder is a step on the way, not the end.
    const text = item.value.endsWith('/') ? item.value : `${item.value} `;
    const changed = [...lines];
    changed[cursorLine] = line.slice(0, start) + text + line.slice(cursorCol);
    return { lines: changed, cursorLine, cursorCol: start + text.length };
  }

  async #argumentItems(command: string, typed: string): Promise<AutocompleteItem[]> {
    const wanted = typed.toLowerCase();
    const choices = await this.#source.argumentsOf(command);
    return choices
      .filter(({ value }) => value.toLowerCase().includes(wanted))
      .map((choice) => ({ choice, rank: rankOf(choice.value.toLowerCase(), wanted) }))
      .sort((one, other) => one.rank - other.rank)
      .slice(0, LIMIT)
      .map(({ choice }) => choice)
      .map(({ value, about }) => ({ value, label: visibleLine(value), ...(about ? { description: about } : {}) }));
  }

  async #fileItems(typed: string, mention: boolean): Promise<AutocompleteItem[]> {
    const paths = rankPaths(await this.#source.paths(), typed, LIMIT);
    const at = mention ? '@' : '';
    // A name that hides characters could not be told from another one.
    return paths
      .filter((path) => visibleLine(path) === path)
      .map((path) => ({ value: /\s/.test(path) ? `${at}"${path}"` : at + path, label: path }));
  }
}

/** The very word first, then what begins with it, then where a part after a `/` does, e.g. a model's name. */
function rankOf(value: string, wanted: string): number {
  if (value === wanted) return 0;
  if (value.startsWith(wanted)) return 1;
  return value.includes(`/${wanted}`) ? 2 : 3;
}

function commandItems(commands: readonly SlashCommand[], typed: string): AutocompleteItem[] {
  return commands
    .flatMap(({ name, also, about }) => [name, also ?? name].map((word) => ({ name, word, about })))
    .filter(
      ({ name, word }, at, all) =>
        word.startsWith(typed) && all.findIndex((each) => each.name === name && each.word.startsWith(typed)) === at,
    )
    .map(({ word, about }) => ({ value: `/${word}`, label: `/${word}`, description: about }));
}

function found(prefix: string, items: AutocompleteItem[]): AutocompleteSuggestions | null {
  return items.length > 0 ? { items, prefix } : null;
}
