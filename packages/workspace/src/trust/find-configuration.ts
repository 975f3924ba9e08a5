import { existsSync, lstatSync } from 'node:fs';
import { join } from 'node:path';
import type { FoundConfiguration } from '@black-ide/protocol';
import { walk } from '../search/walk.ts';
import { errnoOf } from '../stores/errno.ts';
import { ownFolders } from './own-folders.ts';

/** In our folder. */
const OWN: readonly (readonly [name: string, what: string])[] = [
  ['AGENTS.md', 'rules'],
  ['settings.json', 'settings'],
  ['modes', 'modes'],
  ['knowledge', 'knowledge'],
  ['skills', 'skills'],
  ['hooks', 'hooks'],
  ['hooks.json', 'hooks'],
  ['mcp.json', 'MCP servers'],
  ['extensions', 'extensions'],
  ['schedules.json', 'schedules'],
];

/** In the workspace itself. */
const TOP: readonly (readonly [path: string, what: string])[] = [
  ['.mcp.json', 'MCP servers'],
  ['.env', 'environment'],
  ['.envrc', 'environment'],
  ['.vscode', "an editor's configuration"],
  ['.idea', "an editor's configuration"],
  ['.zed', "an editor's configuration"],
  ['.devcontainer', "an editor's configuration"],
  ['.claude', "another agent's configuration"],
  ['.codex', "another agent's configuration"],
  ['.cursor', "another agent's configuration"],
  ['.gemini', "another agent's configuration"],
  ['.roo', "another agent's configuration"],
  ['.husky', 'git hooks'],
  ['.git/config', 'git configuration'],
  ['.git/hooks', 'git hooks'],
  ['.git/commondir', 'git configuration'],
  ['.gitattributes', 'git configuration'],
  ['.npmrc', 'package manager'],
  ['.yarnrc.yml', 'package manager'],
  ['.yarnrc', 'package manager'],
  ['.pnpmfile.cjs', 'package manager'],
];

/** Of those in the workspace itself what we read as well. */
const OURS = new Set(['.mcp.json']);

/** Anywhere. */
const NESTED: ReadonlyMap<string, string> = new Map([
  ['AGENTS.md', 'rules'],
  ['CLAUDE.md', 'rules'],
  ['.agents', 'modes, skills and the like'],
]);

/** A tree beyond this is not looked through to its end. */
const MOST_ENTRIES = 20_000;
const DEEPEST = 6;
const MOST_FOUND = 100;

/**
 * What in a folder would be read, loaded or run as configuration by us or by a program that we might start. Told by names
 * alone: nothing is opened, nothing is followed.
 */
export async function findConfiguration(root: string, signal?: AbortSignal): Promise<FoundConfiguration[]> {
  const found = new Map<string, FoundConfiguration>();
  const add = (path: string, what: string, ours: boolean): void => {
    const shown = isFolder(join(root, path)) ? `${path}/` : path;
    found.set(shown, { path: shown, what, ours });
  };
  for (const folder of ownFolders(root)) {
    for (const [name, what] of OWN) if (existsSync(join(root, folder, name))) add(`${folder}/${name}`, what, true);
  }
  for (const [path, what] of TOP) if (existsSync(join(root, path))) add(path, what, OURS.has(path));
  try {
    let seen = 0;
    for await (const { path, name } of walk({ root, depth: DEEPEST, ...(signal ? { signal } : {}) })) {
      if (++seen > MOST_ENTRIES || found.size >= MOST_FOUND) break;
      const what = NESTED.get(name);
      if (what) add(path, what, true);
    }
  } catch (cause) {
    signal?.throwIfAborted();
    // A folder that is gone or closed to us has nothing that could be read.
    if (!(cause instanceof Error)) throw cause;
  }
  return [...found.values()];
}

function isFolder(path: string): boolean {
  try {
    return lstatSync(path).isDirectory();
  } catch (cause) {
    if (errnoOf(cause) === undefined) throw cause;
    return false;
  }
}
