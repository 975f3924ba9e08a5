import { posix } from 'node:path';
import { type Documents, FolderRules, ownFolders, PathGuard } from '@black-ide/workspace';
import { isInForeignRepository } from '../trust/foreign-repository.ts';
import type { RuleFile } from './assemble-rules.ts';
import { findImports } from './find-imports.ts';

export interface RulesReaderOptions {
  /** The workspace. */
  root: string;
  /** The state folder, with the person's own `AGENTS.md`. */
  home: string;
  documents: Documents;
  /** Whether a folder of the workspace, or the workspace itself, is trusted: absolute. */
  isTrusted(folder: string): boolean;
}

/** The first that is there counts. */
const NAMES = ['AGENTS.md', 'CLAUDE.md'];
/** Larger files are no rules that anybody wrote. */
const MOST_BYTES = 1024 * 1024;
const MOST_FILES = 50;
const DEEPEST = 5;

/** Where files are looked for: a folder, and how its files are called. */
interface Place {
  guard: PathGuard;
  name(relative: string): string;
  /** What may not be looked into; undefined where nothing is left out. */
  ignores?: (folder: string) => boolean;
}

/**
 * Reads the files of standing rules (IDE-72). Links that lead outside, folders that git ignores, `node_modules` and
 * imports beyond the workspace are left alone. What cannot be read is as good as not there.
 */
export class RulesReader {
  readonly #options: RulesReaderOptions;
  readonly #workspace: Place;
  readonly #home: Place;
  #folderRules: FolderRules | undefined;

  constructor(options: RulesReaderOptions) {
    this.#options = options;
    const guard = new PathGuard({ root: options.root });
    this.#workspace = { guard, name: (path) => path, ignores: (folder) => this.#isIgnored(folder) };
    this.#home = { guard: new PathGuard({ root: options.home }), name: (path) => `~/.blackide/${path}` };
  }

  /** The rules that hold from the beginning, outermost first: the person's own, the workspace's, `.blackide`'s. */
  async standing(): Promise<RuleFile[]> {
    const reading = new Reading(this.#options.documents);
    await reading.first(this.#home, '', ['AGENTS.md']);
    if (!this.#options.isTrusted(this.#options.root)) return reading.files;
    await reading.first(this.#workspace, '', NAMES);
    for (const folder of ownFolders(this.#options.root)) await reading.first(this.#workspace, folder, ['AGENTS.md']);
    return reading.files;
  }

  /** The rules of a folder below the workspace and of those above it, outermost first, the workspace itself left out. */
  async nested(folder: string): Promise<RuleFile[]> {
    const reading = new Reading(this.#options.documents);
    if (this.#isIgnored(folder) || !this.#options.isTrusted(this.#options.root)) return [];
    const parts = folder.split('/').filter((part) => part !== '' && part !== '.');
    for (const i of parts.keys()) {
      const path = parts.slice(0, i + 1).join('/');
      if (await isInForeignRepository(this.#workspace.guard.root, path, this.#options)) break;
      await reading.first(this.#workspace, path, NAMES);
    }
    return reading.files;
  }

  /** The folder that a path of a tool lies in, or is, from the workspace; undefined outside of it. */
  async folderOf(path: string): Promise<string | undefined> {
    const resolved = this.#workspace.guard.resolve(path, 'read');
    if (!resolved.ok || posix.isAbsolute(resolved.relative)) return undefined;
    const looked = await this.#options.documents.stat(resolved.real);
    const isFolder = looked.ok && looked.stat.kind === 'folder';
    return isFolder ? resolved.relative : posix.dirname(resolved.relative);
  }

  #isIgnored(folder: string): boolean {
    this.#folderRules ??= FolderRules.of(this.#workspace.guard.root);
    let rules = this.#folderRules;
    for (const name of folder.split('/').filter((part) => part !== '' && part !== '.')) {
      if (name === 'node_modules' || rules.ignores(name, true)) return true;
      rules = rules.child(name);
    }
    return false;
  }
}

/** One set of rules: each file once, whatever imports what. */
class Reading {
  readonly files: RuleFile[] = [];
  readonly #documents: Documents;
  readonly #seen = new Set<string>();

  constructor(documents: Documents) {
    this.#documents = documents;
  }

  async first(place: Place, folder: string, names: readonly string[]): Promise<void> {
    for (const name of names) {
      if (await this.#read(place, posix.join(folder, name), 0)) return;
    }
  }

  /** @returns whether there was such a file. Imported files come before the one that imports them: it has the last word. */
  async #read(place: Place, path: string, depth: number, importedBy?: string): Promise<boolean> {
    const resolved = place.guard.resolve(path, 'read');
    if (!resolved.ok || !resolved.exists) return false;
    if (this.#seen.has(resolved.real)) return true;
    const looked = await this.#documents.stat(resolved.real);
    if (!looked.ok || looked.stat.kind !== 'file' || looked.stat.size > MOST_BYTES) return false;
    const read = await this.#documents.read(resolved.real);
    if (!read.ok || read.document.text === null) return false;
    this.#seen.add(resolved.real);
    const { text, version } = read.document;
    const own = place.name(path);
    const notes = await this.#imports(place, path, own, text, depth);
    const rules = { path: own, version, text: text.replaceAll('\r\n', '\n'), notes };
    this.files.push(importedBy ? { ...rules, importedBy } : rules);
    return true;
  }

  /** @returns what was not imported, and why. */
  async #imports(place: Place, from: string, own: string, text: string, depth: number): Promise<string[]> {
    const notes: string[] = [];
    for (const target of findImports(text)) {
      const inside = posix.isAbsolute(target) || target.startsWith('~');
      const path = inside ? target : posix.join(posix.dirname(from), target);
      const resolved = target.startsWith('~') ? undefined : place.guard.resolve(path, 'read');
      if (!resolved?.ok) notes.push(`@${target} was not read: it lies outside`);
      else if (!resolved.exists) continue;
      else if (place.ignores?.(posix.dirname(resolved.relative))) {
        notes.push(`@${target} was not read: git ignores its folder`);
      } else if (depth >= DEEPEST || this.#seen.size >= MOST_FILES) {
        notes.push(`@${target} was not read: there are too many imports`);
      } else await this.#read(place, resolved.relative, depth + 1, own);
    }
    return notes;
  }
}
