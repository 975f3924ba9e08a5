import { pathToFileURL } from 'node:url';
import { type CdpClient, CdpError } from './cdp-client.ts';
import type { CdpLocation } from './cdp-types.ts';
import { firstStatement, functionBodies } from './javascript-tree.ts';
import { logCondition } from './log-message.ts';
import type { Script, Scripts } from './scripts.ts';
import type { ScriptMap } from './source-map.ts';

/** The number of the breakpoint before a program's first line, which is nobody's. */
export const ENTRY = 0;

/** A breakpoint as it is wanted, in whichever program. Lines count from 1. */
export interface WantedBreakpoint {
  id: number;
  line: number;
  condition?: string;
  logMessage?: string;
}

export interface WantedFunction {
  id: number;
  name: string;
  condition?: string;
}

export interface BreakpointNews {
  verified: boolean;
  line?: number;
  /** Why it cannot be. */
  message?: string;
}

export interface TargetBreakpointsOptions {
  client: CdpClient;
  scripts: Scripts;
  /** The function of the program that takes what breakpoints log. */
  binding: string;
  /** What is wrong with an expression; undefined: it is JavaScript. */
  whyNoScript: (expression: string) => Promise<string | undefined>;
  onNews: (id: number, news: BreakpointNews) => void;
}

type Settable = Pick<WantedBreakpoint, 'id' | 'condition' | 'logMessage'>;

interface SetBreakpoint {
  id: number;
  /** Undefined for those of functions. */
  path: string | undefined;
  isMapped: boolean;
}

/**
 * The breakpoints of one program. A script with a source map gets its own when it is loaded, at the places that the map
 * leads to; for all others V8 waits for the file by its name.
 */
export class TargetBreakpoints {
  readonly #options: TargetBreakpointsOptions;
  readonly #files = new Map<string, readonly WantedBreakpoint[]>();
  #functions: readonly WantedFunction[] = [];
  /** The main file, where the program is to stop before its first line. */
  #entry: string | undefined;
  /** V8's id of each that is set → ours. */
  readonly #set = new Map<string, SetBreakpoint>();

  constructor(options: TargetBreakpointsOptions) {
    this.#options = options;
  }

  /** Whether scripts have to be looked at before they run. */
  get followsScripts(): boolean {
    return this.#functions.length > 0 || this.#entry !== undefined;
  }

  /** Which of the wanted ones were hit. */
  ownersOf(hit: readonly string[]): number[] {
    return [...new Set(hit.flatMap((each) => this.#set.get(each)?.id ?? []))];
  }

  /** Puts these in the place of all others in the file. */
  async setFile(path: string, wanted: readonly WantedBreakpoint[]): Promise<void> {
    await this.#removeWhere((each) => each.path === path);
    this.#files.set(path, wanted);
    const { scripts } = this.#options;
    const mapped: Script[] = [];
    for (const script of scripts.all()) {
      if (script.mapUrl !== undefined && (await scripts.mapOf(script))?.paths.includes(path)) mapped.push(script);
    }
    for (const each of wanted) {
      if (mapped.length === 0) await this.#setDirect(path, each);
      for (const script of mapped) await this.#setMapped(script, path, each);
    }
  }

  async setFunctions(wanted: readonly WantedFunction[]): Promise<void> {
    await this.#removeWhere((each) => each.path === undefined && each.id !== ENTRY);
    this.#functions = wanted;
    for (const script of this.#options.scripts.all()) await this.#setFunctionsIn(script);
  }

  /** A script is about to run; `first` is its first statement. */
  async onScript(script: Script, first: CdpLocation | undefined): Promise<void> {
    const map = script.mapUrl === undefined ? undefined : await this.#options.scripts.mapOf(script);
    if (map) await this.#onMap(map, (wanted, path) => this.#setMapped(script, path, wanted));
    await this.#setFunctionsIn(script);
    if (first && this.#entry !== undefined && script.path === this.#entry) await this.#setEntry(first);
  }

  /** A module that comes with this source map is about to be compiled, under this name. */
  async onModule(filename: string, map: ScriptMap): Promise<void> {
    await this.#onMap(map, async (wanted, path) => {
      const place = map.generated(path, wanted.line);
      if (place) await this.#setByName(filename, place, wanted, { path, isMapped: true });
    });
  }

  /**
   * Stops before the first line of this file runs.
   * @param source where it is known what V8 runs
   */
  async setEntry(path: string, source: string | undefined): Promise<void> {
    this.#entry = path;
    // A module halts by itself before it runs; CommonJS does not.
    const first = source === undefined ? undefined : firstStatement(source);
    if (!first) return;
    const place = { lineNumber: first.line, columnNumber: first.column };
    await this.#setByName(path, place, { id: ENTRY }, { path: undefined, isMapped: true });
  }

  /** V8 has found the place of one by itself. */
  async onResolved(breakpointId: string, location: CdpLocation): Promise<void> {
    const known = this.#set.get(breakpointId);
    if (!known) return;
    const { line } = await this.#options.scripts.place(location);
    this.#options.onNews(known.id, { verified: true, line });
  }

  async #onMap(map: ScriptMap, set: (wanted: WantedBreakpoint, path: string) => Promise<void>): Promise<void> {
    for (const path of map.paths) {
      const wanted = this.#files.get(path);
      if (!wanted?.length) continue;
      // The lines of the file are not those of what V8 runs.
      await this.#removeWhere((each) => each.path === path && !each.isMapped);
      for (const each of wanted) await set(each, path);
    }
  }

  async #setEntry(first: CdpLocation): Promise<void> {
    this.#entry = undefined;
    await this.#removeWhere(({ id }) => id === ENTRY);
    await this.#setAt(first, { id: ENTRY }, undefined);
  }

  async #setDirect(path: string, wanted: WantedBreakpoint): Promise<void> {
    await this.#setByName(path, { lineNumber: wanted.line - 1 }, wanted, { path, isMapped: false });
  }

  /** Wherever a script of that name is or will be loaded. */
  async #setByName(
    filename: string,
    place: { lineNumber: number; columnNumber?: number },
    wanted: Settable,
    kind: Omit<SetBreakpoint, 'id'>,
  ): Promise<void> {
    const condition = await this.#condition(wanted);
    if (condition === undefined) return;
    const names = [pathToFileURL(filename).href, filename].map((name) =>
      name.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'),
    );
    const set = await this.#ask(wanted.id, 'Debugger.setBreakpointByUrl', {
      urlRegex: `^(${names.join('|')})([?#].*)?$`,
      ...place,
      condition,
    });
    if (!set) return;
    const { breakpointId, locations } = set;
    this.#set.set(String(breakpointId), { id: wanted.id, ...kind });
    const [found] = (locations ?? []) as CdpLocation[];
    if (found) await this.onResolved(String(breakpointId), found);
  }

  async #setMapped(script: Script, path: string, wanted: WantedBreakpoint): Promise<void> {
    const place = (await this.#options.scripts.mapOf(script))?.generated(path, wanted.line);
    if (place) await this.#setAt({ scriptId: script.id, ...place }, wanted, path);
  }

  async #setFunctionsIn(script: Script): Promise<void> {
    const { scripts, client } = this.#options;
    if (this.#functions.length === 0 || !scripts.isUser(script.path)) return;
    const { scriptSource } = await client.call('Debugger.getScriptSource', { scriptId: script.id });
    for (const wanted of this.#functions) {
      for (const { line, column } of functionBodies(String(scriptSource), wanted.name)) {
        await this.#setAt({ scriptId: script.id, lineNumber: line, columnNumber: column }, wanted, undefined);
      }
    }
  }

  async #setAt(location: CdpLocation, wanted: Settable, path: string | undefined): Promise<void> {
    const condition = await this.#condition(wanted);
    if (condition === undefined) return;
    const { scripts, onNews } = this.#options;
    const set = await this.#ask(wanted.id, 'Debugger.setBreakpoint', { location, condition });
    if (!set) return;
    const { breakpointId, actualLocation } = set;
    this.#set.set(String(breakpointId), { id: wanted.id, path, isMapped: true });
    const { line } = await scripts.place((actualLocation as CdpLocation | undefined) ?? location);
    onNews(wanted.id, { verified: true, line });
  }

  /** Undefined where V8 refuses it, such as a second one at one place; which is told. */
  async #ask(id: number, method: string, params: object): Promise<Record<string, unknown> | undefined> {
    try {
      return await this.#options.client.call(method, params);
    } catch (cause) {
      if (!(cause instanceof CdpError)) throw cause;
      this.#options.onNews(id, { verified: false, message: cause.message });
      return undefined;
    }
  }

  /** As V8 takes it; undefined where it is not JavaScript, which is told. */
  async #condition({ id, condition = '', logMessage }: { id: number; condition?: string; logMessage?: string }) {
    const { whyNoScript, binding, onNews } = this.#options;
    const log = logMessage === undefined ? undefined : logCondition(logMessage, binding);
    const text = log === undefined ? condition : condition === '' ? log : `(${condition}\n) && (${log})`;
    if (text === '') return '';
    const why = await whyNoScript(text);
    if (why === undefined) return text;
    onNews(id, { verified: false, message: `Its condition or message is no JavaScript: ${why}` });
    return undefined;
  }

  async #removeWhere(matches: (each: SetBreakpoint) => boolean): Promise<void> {
    for (const [breakpointId, each] of this.#set) {
      if (!matches(each)) continue;
      this.#set.delete(breakpointId);
      await this.#options.client.call('Debugger.removeBreakpoint', { breakpointId });
    }
  }
}
