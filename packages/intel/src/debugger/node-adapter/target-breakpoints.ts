import { pathToFileURL } from 'node:url';
import { type CdpClient, CdpError } from './cdp-client.ts';
import type { CdpLocation } from './cdp-types.ts';
import { logCondition } from './log-message.ts';
import { whyNot } from './remote-values.ts';
import type { Script, Scripts } from './scripts.ts';
import { TryBlocks } from './try-blocks.ts';

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
  onNews: (id: number, news: BreakpointNews) => void;
}

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
  /** V8's id of each that is set → ours. */
  readonly #set = new Map<string, SetBreakpoint>();

  constructor(options: TargetBreakpointsOptions) {
    this.#options = options;
  }

  /** Whether scripts have to be looked at before they run. */
  get followsScripts(): boolean {
    return this.#functions.length > 0;
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
    await this.#removeWhere((each) => each.path === undefined);
    this.#functions = wanted;
    for (const script of this.#options.scripts.all()) await this.#setFunctionsIn(script);
  }

  /** A script is about to run. */
  async onScript(script: Script): Promise<void> {
    const map = script.mapUrl === undefined ? undefined : await this.#options.scripts.mapOf(script);
    for (const path of map?.paths ?? []) {
      const wanted = this.#files.get(path);
      if (!wanted?.length) continue;
      // The lines of the file are not those of the script.
      await this.#removeWhere((each) => each.path === path && !each.isMapped);
      for (const each of wanted) await this.#setMapped(script, path, each);
    }
    await this.#setFunctionsIn(script);
  }

  async remove(id: number): Promise<void> {
    await this.#removeWhere((each) => each.id === id);
  }

  /** V8 has found the place of one by itself. */
  async onResolved(breakpointId: string, location: CdpLocation): Promise<void> {
    const known = this.#set.get(breakpointId);
    if (!known) return;
    const { line } = await this.#options.scripts.place(location);
    this.#options.onNews(known.id, { verified: true, line });
  }

  async #setDirect(path: string, wanted: WantedBreakpoint): Promise<void> {
    const condition = await this.#condition(wanted);
    if (condition === undefined) return;
    const names = [pathToFileURL(path).href, path].map((name) => name.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'));
    const set = await this.#ask(wanted.id, 'Debugger.setBreakpointByUrl', {
      urlRegex: `^(${names.join('|')})([?#].*)?$`,
      lineNumber: wanted.line - 1,
      condition,
    });
    if (!set) return;
    const { breakpointId, locations } = set;
    this.#set.set(String(breakpointId), { id: wanted.id, path, isMapped: false });
    const [found] = (locations ?? []) as CdpLocation[];
    if (found) this.#options.onNews(wanted.id, { verified: true, line: found.lineNumber + 1 });
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
      for (const { line, column } of TryBlocks.bodiesOf(String(scriptSource), wanted.name)) {
        await this.#setAt({ scriptId: script.id, lineNumber: line, columnNumber: column }, wanted, undefined);
      }
    }
  }

  async #setAt(
    location: CdpLocation,
    wanted: { id: number; condition?: string; logMessage?: string },
    path: string | undefined,
  ): Promise<void> {
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
    const { client, binding, onNews } = this.#options;
    const log = logMessage === undefined ? undefined : logCondition(logMessage, binding);
    const text = log === undefined ? condition : condition === '' ? log : `(${condition}\n) && (${log})`;
    if (text === '') return '';
    const compiled = await client.call('Runtime.compileScript', {
      expression: text,
      sourceURL: '',
      persistScript: false,
    });
    if (!compiled.exceptionDetails) return text;
    onNews(id, { verified: false, message: `Its condition or message is no JavaScript: ${whyNot(compiled)}` });
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
