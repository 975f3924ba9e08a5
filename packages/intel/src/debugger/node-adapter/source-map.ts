import { dirname, isAbsolute, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { generatedPositionFor, LEAST_UPPER_BOUND, originalPositionFor, TraceMap } from '@jridgewell/trace-mapping';

/** A map of more bytes is a bundle's whose lines nobody steps through. */
const MAX_BYTES = 64 * 1024 * 1024;
/** A breakpoint on a line without code slides down at most so far. */
const MAX_SLIDE = 30;

/** A source map of one script. Its generated lines and columns count from 0, the original ones from 1. */
export class ScriptMap {
  readonly #map: TraceMap;
  /** Absolute paths, in the order of the map's sources; undefined for what is no file. */
  readonly #paths: readonly (string | undefined)[];

  constructor(map: TraceMap, base: string) {
    this.#map = map;
    this.#paths = map.resolvedSources.map((source) => pathOfSource(source, base));
  }

  /** The files that it leads to. */
  get paths(): string[] {
    return this.#paths.filter((path) => path !== undefined);
  }

  original(lineNumber: number, columnNumber: number): { path: string; line: number; column: number } | undefined {
    return attempt(() => {
      const { source, line, column } = originalPositionFor(this.#map, { line: lineNumber + 1, column: columnNumber });
      const path = source === null ? undefined : this.#paths[this.#map.resolvedSources.indexOf(source)];
      return path === undefined || line === null ? undefined : { path, line, column: column + 1 };
    });
  }

  /** The first code of a line, or of the next one that has some. */
  generated(path: string, line: number): { lineNumber: number; columnNumber: number } | undefined {
    const source = this.#map.resolvedSources[this.#paths.indexOf(path)];
    if (source == null) return undefined;
    return attempt(() => {
      for (let at = line; at < line + MAX_SLIDE; at++) {
        const found = generatedPositionFor(this.#map, { source, line: at, column: 0, bias: LEAST_UPPER_BOUND });
        if (found.line !== null) return { lineNumber: found.line - 1, columnNumber: found.column };
      }
      return undefined;
    });
  }
}

/** Mappings are read when they are asked for: a broken map has none. */
function attempt<T>(read: () => T | undefined): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

/**
 * Reads the source map that a script names; undefined where there is none that can be read.
 * @param mapUrl as the script names it: data, or a file
 * @param scriptUrl what it is relative to
 */
export async function loadSourceMap(
  mapUrl: string,
  scriptUrl: string,
  readText: (path: string) => Promise<string | undefined>,
): Promise<ScriptMap | undefined> {
  const base = URL.canParse(scriptUrl) ? scriptUrl : isAbsolute(scriptUrl) ? pathToFileURL(scriptUrl).href : undefined;
  const url = URL.parse(mapUrl, base);
  if (!url) return undefined;
  try {
    const file = url.protocol === 'file:' ? fileURLToPath(url) : undefined;
    const text = file === undefined ? dataOf(url) : await readText(file);
    if (text === undefined || text.length > MAX_BYTES) return undefined;
    const from = file === undefined ? base : url.href;
    return from === undefined ? undefined : new ScriptMap(new TraceMap(text.replace(/^\)\]\}'.*\n/, ''), from), from);
  } catch {
    // A broken map is none: the places are those of the script itself.
    return undefined;
  }
}

function dataOf(url: URL): string | undefined {
  if (url.protocol !== 'data:') return undefined;
  const comma = url.href.indexOf(',');
  const data = decodeURIComponent(url.href.slice(comma + 1));
  return /;base64$/i.test(url.href.slice(0, comma)) ? Buffer.from(data, 'base64').toString('utf8') : data;
}

function pathOfSource(source: string | null, base: string): string | undefined {
  // Nothing is called so, or the name was empty and stands for its folder.
  if (!source || source.endsWith('/')) return undefined;
  if (source.startsWith('file:')) return fileURLToPath(source);
  if (isAbsolute(source)) return source;
  return /^[a-z][a-z\d+.-]*:/i.test(source) || !base.startsWith('file:')
    ? undefined
    : resolve(dirname(fileURLToPath(base)), source);
}
