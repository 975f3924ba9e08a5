import { posix } from 'node:path';
import { type Documents, ownFolders, PathGuard, realPathOf, walk } from '@black-ide/workspace';
import { isInForeignRepository } from '../trust/foreign-repository.ts';
import type { ModeSource } from './mode.ts';

export interface ModeFile {
  source: ModeSource;
  /** As a person knows it: from the workspace, or below `~/.blackide`. */
  file: string;
  /** Undefined where it cannot be read; then `problem` says why. */
  text?: string;
  problem?: string;
}

/** A folder of mode files. */
export interface ModeFolder {
  source: ModeSource;
  /** Real and absolute. */
  path: string;
  /** Its name before the file's. */
  shown: string;
}

export interface ModePlaces {
  home: string;
  root: string;
  documents: Documents;
  /** Whether a folder of the workspace, or the workspace itself, is trusted: absolute. */
  isTrusted(folder: string): boolean;
}

/** A larger file is no mode that anybody wrote. */
const MOST_BYTES = 256 * 1024;
const MOST_FILES = 200;
/** Nested projects are looked for so deep, and among so many files and folders. */
const DEEPEST = 6;
const MOST_ENTRIES = 20_000;
const PROJECT = '.agents/modes';

/**
 * The folders that modes are read from (IDE-37), the weakest first: the person's, the workspace's, those of the projects
 * in it. Of a workspace that is not trusted none, and none of a repository inside it that is not. They need not exist.
 */
export async function modeFolders(places: ModePlaces): Promise<ModeFolder[]> {
  const { home, root, isTrusted } = places;
  const folders: ModeFolder[] = [
    { source: 'global', path: realPathOf(posix.join(home, 'modes')), shown: '~/.blackide/modes' },
  ];
  const guard = new PathGuard({ root });
  if (!isTrusted(root)) return folders;
  const add = (source: ModeSource, shown: string): void => {
    const resolved = guard.resolve(shown, 'read');
    if (resolved.ok) folders.push({ source, path: resolved.real, shown });
  };
  const own = ownFolders(root);
  for (const folder of (own.length > 0 ? own : ['.blackide']).toReversed()) add('workspace', `${folder}/modes`);
  for (const project of await projects(places, guard.root)) add('project', posix.join(project, PROJECT));
  return folders;
}

/** Reads the mode files of a folder, in the order of their names. */
export async function readModeFolder({ source, path, shown }: ModeFolder, documents: Documents): Promise<ModeFile[]> {
  const listed = await documents.list(path, { limit: MOST_FILES });
  if (!listed.ok) return [];
  const guard = new PathGuard({ root: path });
  const files: ModeFile[] = [];
  for (const { name } of listed.entries) {
    if (!/\.md$/i.test(name)) continue;
    const file = `${shown}/${name}`;
    // The person's own links may lead wherever they like; a workspace's stay in their folder.
    const resolved = guard.resolve(name, 'read');
    const real = source === 'global' ? realPathOf(posix.join(path, name)) : resolved.ok ? resolved.real : undefined;
    files.push({
      source,
      file,
      ...(real ? await textOf(real, documents) : { problem: 'it is a link that leads out of its folder' }),
    });
  }
  return files;
}

async function textOf(path: string, documents: Documents): Promise<Pick<ModeFile, 'text' | 'problem'>> {
  const looked = await documents.stat(path);
  if (looked.ok && looked.stat.size > MOST_BYTES) return { problem: 'it is too large for a mode' };
  const read = await documents.read(path);
  if (!read.ok) return { problem: `it cannot be read: ${read.error.message.replace(/\.$/, '')}` };
  return read.document.text === null ? { problem: 'it is no text' } : { text: read.document.text };
}

/** The workspace and the folders in it that have an `.agents` of their own, from the workspace; the outermost last. */
async function projects(places: ModePlaces, root: string): Promise<string[]> {
  const found: string[] = [];
  let seen = 0;
  for await (const { path, name, kind } of walk({ root, depth: DEEPEST })) {
    if (++seen > MOST_ENTRIES) break;
    if (name !== '.agents' || kind === 'file') continue;
    const project = posix.dirname(path).replace(/^\.$/, '');
    if (project.split('/').includes('node_modules')) continue;
    if (!(await isInForeignRepository(root, project, places))) found.push(project);
  }
  const depth = (path: string): number => (path === '' ? 0 : path.split('/').length);
  return found.sort((a, b) => depth(b) - depth(a) || (a < b ? 1 : -1));
}
