import { dirname, isAbsolute, join } from 'node:path';
import type { Documents } from '@black-ide/workspace';

/** The Git branch that a folder stands on, the beginning of a commit's id where it stands on none; undefined outside. */
export async function gitBranch(documents: Documents, folder: string): Promise<string | undefined> {
  for (let at = folder; ; at = dirname(at)) {
    const git = join(at, '.git');
    const found = await documents.stat(git);
    if (found.ok) {
      const place = found.stat.kind === 'folder' ? git : await pointedTo(documents, git, at);
      return place === undefined ? undefined : await headOf(documents, place);
    }
    if (dirname(at) === at) return undefined;
  }
}

/** A worktree's `.git` is a file that tells the folder. */
async function pointedTo(documents: Documents, file: string, folder: string): Promise<string | undefined> {
  const target = /^gitdir: (.+)$/m.exec((await textOf(documents, file)) ?? '')?.[1]?.trim();
  if (!target) return undefined;
  return isAbsolute(target) ? target : join(folder, target);
}

async function headOf(documents: Documents, place: string): Promise<string | undefined> {
  const head = (await textOf(documents, join(place, 'HEAD')))?.trim();
  if (!head) return undefined;
  return /^ref: refs\/heads\/(.+)$/.exec(head)?.[1] ?? (/^[0-9a-f]{7,64}$/.test(head) ? head.slice(0, 8) : undefined);
}

async function textOf(documents: Documents, path: string): Promise<string | undefined> {
  const read = await documents.read(path);
  return read.ok && read.document.size < 10_000 ? (read.document.text ?? undefined) : undefined;
}
