import { fileURLToPath, pathToFileURL } from 'node:url';

export function uriOfPath(path: string): string {
  return pathToFileURL(path).href;
}

/** The file that a URI names, however the server has escaped it; undefined where it names none (`jdt:`, `untitled:` …). */
export function pathOfUri(uri: unknown): string | undefined {
  if (typeof uri !== 'string' || !uri.startsWith('file:')) return undefined;
  try {
    return fileURLToPath(uri);
  } catch {
    // A host, a broken escape: no file of this machine.
    return undefined;
  }
}
