/** What the caller is about to do with a path. */
export type PathAccess = 'read' | 'write';

/** Why a path is special; `why` is a phrase for a person, e.g. `git internals`. */
export interface PathMark {
  why: string;
}

/** A path that stays inside the roots the user gave. */
export interface ResolvedPath {
  ok: true;
  access: PathAccess;
  /** Absolute and normalised, its symbolic links as they were written. */
  absolute: string;
  /** Absolute, every symbolic link resolved, also where the last parts do not exist yet. Only this reaches the disk. */
  real: string;
  /** For people and models: from the workspace root with `/`, or absolute (with `/`) inside another granted folder. */
  relative: string;
  /** Whether something (file, folder, device …) was there. */
  exists: boolean;
  /** The name in its folder is meant, also where that is a link: `real` is not what the link leads to. */
  entry?: true;
  /** Set when a write needs a person's consent (IDE-53). */
  protected?: PathMark;
  /** Set when a write deserves a warning, but no question. */
  notice?: PathMark;
}

/** A path that is not to be touched. `code` is stable, `message` for a person, `next` says what to do instead. */
export interface RefusedPath {
  ok: false;
  code: string;
  message: string;
  next: string;
}
