/** What a sandboxed command may do at a path and below it; the rule of the nearest folder counts. */
export type SandboxRule =
  /** Read and write. */
  | { access: 'write'; path: string }
  /** Read; nothing is changed, made or removed there. */
  | { access: 'read'; path: string }
  /** Neither: a file cannot be read, a folder is empty. */
  | { access: 'none'; path: string; kind: 'file' | 'folder' }
  /** Not there, and not to be made: an empty folder stands in its place. Its own folder is writable. */
  | { access: 'absent'; path: string }
  /** A folder or file of our own (`from`) is shown there. */
  | { access: 'private'; path: string; from: string; writable: boolean };

/** How commands of one workspace are contained. Everything that no rule names can be read, and nothing else. */
export interface SandboxPolicy {
  rules: readonly SandboxRule[];
}

/** Where two rules have the same path, the later of these counts. */
const STRICTNESS: readonly SandboxRule['access'][] = ['private', 'write', 'read', 'absent', 'none'];

/**
 * The rules in the order in which they are applied: a folder before what is in it, so that the nearest one has the last
 * word, and of two for the same path the stricter one alone.
 */
export function orderedRules({ rules }: SandboxPolicy): SandboxRule[] {
  const byPath = new Map<string, SandboxRule>();
  for (const rule of rules) {
    const path = normalised(rule.path);
    const before = byPath.get(path);
    const isStricter = !before || STRICTNESS.indexOf(rule.access) >= STRICTNESS.indexOf(before.access);
    if (isStricter) byPath.set(path, { ...rule, path });
  }
  return [...byPath.values()].sort((a, b) => depth(a.path) - depth(b.path) || (a.path < b.path ? -1 : 1));
}

/** Whether a path is that folder or lies in it. */
export function isInside(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith('/') ? folder : `${folder}/`);
}

/** A slash at the end, or two in a row, must not make another path of it. */
function normalised(path: string): string {
  return path.replaceAll(/\/{2,}/g, '/').replace(/(?<=.)\/$/, '');
}

function depth(path: string): number {
  return path === '/' ? 0 : path.split('/').length - 1;
}
