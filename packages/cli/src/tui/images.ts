import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ImageContent } from '@black-ide/protocol';
import { checkImage, type Documents, realPathOf, sniffImage } from '@black-ide/workspace';

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
    const mimeType = sniffImage(bytes);
    const checked = mimeType && checkImage(bytes, mimeType);
    // What a provider would refuse must not become part of the conversation: it would be refused with every turn.
    if (!checked) found.problems.push(`${path} is not attached: it is no image that a model can read.`);
    else if (!checked.ok) found.problems.push(`${path} is not attached: ${checked.why}.`);
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
