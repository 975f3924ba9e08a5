import { sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { BOOTLOADER_FILE } from './bootloader.ts';
import type { CdpLocation, ScriptParsed } from './cdp-types.ts';
import { loadSourceMap, type ScriptMap } from './source-map.ts';
import { TryBlocks } from './try-blocks.ts';

/** A script as V8 runs it. */
export interface Script {
  id: string;
  url: string;
  /** Where it lies on the disk; undefined for Node's own and for what was made at run time. */
  path: string | undefined;
  mapUrl: string | undefined;
}

/** A place as a person knows it. Line and column count from 1. */
export interface SourcePlace {
  /** The original file, where there is a source map; undefined where the code is in no file. */
  path: string | undefined;
  /** For a person, e.g. `node:assert`. */
  name: string;
  line: number;
  column: number;
  script: Script | undefined;
  isUser: boolean;
}

export interface ScriptsOptions {
  /** The folder the program was started in: packages above it are no reason to take its code for a package's. */
  cwd: string;
  /** The text of a file; undefined where there is none, or it is not to be read. */
  readText(path: string): Promise<string | undefined>;
  /** The source of a script as V8 has it. */
  sourceOf(scriptId: string): Promise<string>;
}

/** The scripts of one program, their source maps and what their syntax says; each is read when it is needed first. */
export class Scripts {
  readonly #options: ScriptsOptions;
  readonly #scripts = new Map<string, Script>();
  readonly #maps = new Map<string, Promise<ScriptMap | undefined>>();
  readonly #tries = new Map<string, Promise<TryBlocks>>();

  constructor(options: ScriptsOptions) {
    this.#options = options;
  }

  add({ scriptId, url, sourceMapURL }: ScriptParsed): Script {
    const script = { id: scriptId, url, path: pathOf(url), mapUrl: sourceMapURL || undefined };
    this.#scripts.set(scriptId, script);
    return script;
  }

  get(id: string): Script | undefined {
    return this.#scripts.get(id);
  }

  all(): Iterable<Script> {
    return this.#scripts.values();
  }

  /** The person's own code: in a file, and not in an installed package. */
  isUser(path: string | undefined): boolean {
    if (path === undefined || path.endsWith(BOOTLOADER_FILE)) return false;
    const { cwd } = this.#options;
    const own = path.startsWith(cwd + sep) ? path.slice(cwd.length) : path;
    return !/[\\/]node_modules[\\/]/.test(own);
  }

  /** Whether it is code of a file: a person's or a package's. */
  isInFile(id: string): boolean {
    const path = this.#scripts.get(id)?.path;
    return path !== undefined && !path.endsWith(BOOTLOADER_FILE);
  }

  mapOf(script: Script): Promise<ScriptMap | undefined> {
    let map = this.#maps.get(script.id);
    if (!map) {
      const { mapUrl, url } = script;
      map = mapUrl === undefined ? Promise.resolve(undefined) : loadSourceMap(mapUrl, url, this.#options.readText);
      this.#maps.set(script.id, map);
    }
    return map;
  }

  /** Where a place of a script is for a person. */
  async place({ scriptId, lineNumber, columnNumber = 0 }: CdpLocation): Promise<SourcePlace> {
    const script = this.#scripts.get(scriptId);
    const original = script && (await this.mapOf(script))?.original(lineNumber, columnNumber);
    const path = original?.path ?? script?.path;
    const { line, column } = original ?? { line: lineNumber + 1, column: columnNumber + 1 };
    return {
      path,
      name: path ?? (script?.url || `script ${scriptId}`),
      line,
      column,
      script,
      isUser: this.isUser(path),
    };
  }

  tryBlocks(scriptId: string): Promise<TryBlocks> {
    let tries = this.#tries.get(scriptId);
    if (!tries) {
      // A worker's stack goes on in scripts of the thread that started it, which are not known here.
      const source = this.#scripts.has(scriptId) ? this.#options.sourceOf(scriptId) : Promise.resolve('');
      tries = source.then((text) => new TryBlocks(text));
      this.#tries.set(scriptId, tries);
    }
    return tries;
  }
}

/** The file behind a script's URL, whose query only tells loaders apart. */
function pathOf(url: string): string | undefined {
  if (/^([\\/]|[A-Za-z]:[\\/])/.test(url)) return url;
  if (!url.startsWith('file:')) return undefined;
  try {
    return fileURLToPath(url);
  } catch {
    // No file of this machine.
    return undefined;
  }
}
