import { readFileSync } from 'node:fs';
import { realPathOf } from '../stores/real-path.ts';
import { pathKind } from './path-kind.ts';
import { isInside, type SandboxRule } from './sandbox-policy.ts';

/** Where services keep sockets besides `/run`, of which some answer with the rights of root. */
const OF_SERVICES = [
  ...['/var/lib/lxd', '/var/lib/incus', '/var/snap/lxd/common/lxd', '/var/lib/docker', '/var/lib/containerd'],
  ...['/var/lib/libvirt', '/var/lib/mysql', '/var/lib/postgresql', '/var/spool/postfix', '/var/lib/sss/pipes'],
];
/** These are not the machine's own in the sandbox. */
const COVERED = ['/run', '/dev', '/proc', '/tmp', '/var/tmp', '/var/run'];
const MAX_SOCKETS = 200;

/**
 * Rules that hide Unix sockets: a read-only mount keeps nobody from connecting to them, and who listens there does as it
 * is told, outside of the sandbox.
 * @param rules what else is shown; nothing is said of what these already hide
 * @param root the workspace, whose sockets are the commands' own
 * @param table the kernel's list of sockets
 */
export function hiddenSockets(rules: readonly SandboxRule[], root: string, table: string = readTable()): SandboxRule[] {
  const folders = OF_SERVICES.filter((path) => pathKind(path) === 'folder' && isShown(path, rules, root));
  const sockets = listening(table).filter(
    (path) => isShown(path, rules, root) && pathKind(path) === 'other' && realPathOf(path) === path,
  );
  return [
    ...folders.map((path): SandboxRule => ({ access: 'none', path, kind: 'folder' })),
    ...sockets
      .filter((path) => !folders.some((folder) => isInside(path, folder)))
      .slice(0, MAX_SOCKETS)
      .map((path): SandboxRule => ({ access: 'none', path, kind: 'file' })),
  ];
}

function isShown(path: string, rules: readonly SandboxRule[], root: string): boolean {
  // A workspace may lie in a service's folder.
  if (isInside(path, root) || isInside(root, path)) return false;
  const above = rules.filter((rule) => isInside(path, rule.path));
  const nearest = above.sort((a, b) => b.path.length - a.path.length)[0];
  if (nearest) return nearest.access === 'read' || nearest.access === 'write';
  return !COVERED.some((folder) => isInside(path, folder));
}

/** Sockets with a path, each once; names that are not in the file system have their own namespace in the sandbox. */
function listening(table: string): string[] {
  const paths = table.split('\n').map((line) => /^(?:\S+\s+){7}(\/.*)$/.exec(line)?.[1]);
  return [...new Set(paths.filter((path) => path !== undefined))];
}

function readTable(): string {
  try {
    return readFileSync('/proc/net/unix', 'utf8');
  } catch {
    // No /proc, or another system: the folders of services are hidden all the same.
    return '';
  }
}
