import { readFileSync } from 'node:fs';

/** The text of a file that ships with the program, without a BOM and with LF line endings. */
export function readAsset(url: URL): string {
  return readFileSync(url, 'utf8')
    .replace(/^\uFEFF/, '')
    .replaceAll('\r\n', '\n');
}

/** The bytes of a file that ships with the program. */
export function readAssetBytes(path: string): Buffer<ArrayBuffer> {
  return readFileSync(path);
}
