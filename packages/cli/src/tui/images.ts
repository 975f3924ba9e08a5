import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ImageContent } from '@black-ide/protocol';
import { type Documents, realPathOf } from '@black-ide/workspace';

/** What providers take at most, in bytes. */
const MAX_BYTES = 5 * 1024 * 1024;

const NAMED = /\.(?:png|jpe?g|webp|gif)$/i;

export interface FoundImages {
  images: ImageContent[];
  /** What was named like an image and cannot be attached, in words. */
  problems: string[];
}

/**
 * The images whose paths a prompt names: bare, after `@`, in quotes, with blanks escaped as a terminal does when a file
 * is dropped on it, or as a `file:` address. A path where there is no file is just a word.
 */
export async function imagesIn(prompt: string, cwd: string, documents: Documents): Promise<FoundImages> {
  const found: FoundImages = { images: [], problems: [] };
  for (const path of new Set(imagePaths(prompt))) {
    const read = await documents.read(realPathOf(absolute(path, cwd)));
    if (!read.ok) {
      if (read.error.code !== 'missing') found.problems.push(`${path} is not attached: ${read.error.message}`);
      continue;
    }
    const { bytes } = read.document;
    const mimeType = imageType(bytes);
    if (!mimeType) found.problems.push(`${path} is not attached: it is no image that a model can read.`);
    else if (bytes.length > MAX_BYTES) found.problems.push(`${path} is not attached: it is larger than 5 MB.`);
    else found.images.push({ type: 'image', data: Buffer.from(bytes).toString('base64'), mimeType });
  }
  return found;
}

/** The words of a prompt that are named like images. */
function imagePaths(prompt: string): string[] {
  const words = prompt.matchAll(/"([^"\n]+)"|'([^'\n]+)'|((?:\\.|[^\s"'\\])+)/g);
  return [...words]
    .map(([, double, single, bare]) => double ?? single ?? bare!.replace(/\\(.)/g, '$1').replace(/[,;:)]+$/, ''))
    .map((word) => word.replace(/^@/, ''))
    .filter((word) => NAMED.test(word));
}

function absolute(path: string, cwd: string): string {
  if (path.startsWith('file://')) {
    try {
      return fileURLToPath(path);
    } catch {
      // No address of a file on this machine: there is none then.
      return join(cwd, path);
    }
  }
  if (path.startsWith('~/')) return join(homedir(), path.slice(2));
  return isAbsolute(path) ? path : join(cwd, path);
}

/** What the first bytes say; a name can lie. */
function imageType(bytes: Uint8Array): string | undefined {
  const text = Buffer.from(bytes.subarray(0, 12)).toString('latin1');
  if (text.startsWith('\u0089PNG\r\n\u001a\n')) return 'image/png';
  if (text.startsWith('\u00ff\u00d8\u00ff')) return 'image/jpeg';
  if (text.startsWith('GIF87a') || text.startsWith('GIF89a')) return 'image/gif';
  return text.startsWith('RIFF') && text.slice(8) === 'WEBP' ? 'image/webp' : undefined;
}
