import type { Entry } from '@black-ide/protocol';

/** A node of the session tree. As deep as the conversation is long: walk it with a loop, never by recursion. */
export interface SessionTreeNode {
  entry: Entry;
  /** Oldest first. */
  children: SessionTreeNode[];
  label?: string;
}

type Entries = ReadonlyMap<string, Entry>;

/**
 * The entries of a damaged file whose link to their parent must not be followed, because it leads back to themselves:
 * of each cycle the one that comes first in the file.
 */
export function cyclesOf(entries: readonly Entry[], byId: Entries): Set<string> {
  const cut = new Set<string>();
  if (isInOrder(entries, byId)) return cut;
  const place = new Map(entries.map((entry, i) => [entry.id, i]));
  const done = new Set<string>();
  for (const start of entries) {
    const walk: Entry[] = [];
    const onWalk = new Set<string>();
    let at: Entry | undefined = start;
    while (at && !done.has(at.id) && !onWalk.has(at.id)) {
      onWalk.add(at.id);
      walk.push(at);
      at = at.parentId === null ? undefined : byId.get(at.parentId);
    }
    if (at && onWalk.has(at.id)) {
      const cycle = walk.slice(walk.indexOf(at)).map((entry) => entry.id);
      cut.add(cycle.reduce((first, id) => (place.get(id)! < place.get(first)! ? id : first)));
    }
    for (const id of onWalk) done.add(id);
  }
  return cut;
}

/** Whether every parent comes before its children, as in any file that was only ever appended to. */
function isInOrder(entries: readonly Entry[], byId: Entries): boolean {
  const seen = new Set<string>();
  return entries.every(({ id, parentId }) => {
    const inOrder = parentId === null || seen.has(parentId) || !byId.has(parentId);
    seen.add(id);
    return inOrder;
  });
}

/** The entry that this one hangs from; undefined for a root, an orphan, and where a cycle is cut. */
export function parentOf(entry: Entry, byId: Entries, cut: ReadonlySet<string>): Entry | undefined {
  return entry.parentId === null || cut.has(entry.id) ? undefined : byId.get(entry.parentId);
}

/** The path from a root to an entry; empty for an unknown one. */
export function pathTo(id: string | null, byId: Entries, cut: ReadonlySet<string>): Entry[] {
  const path: Entry[] = [];
  for (let at = id === null ? undefined : byId.get(id); at; at = parentOf(at, byId, cut)) path.push(at);
  return path.reverse();
}

/** All entries as trees, one per root. */
export function treeOf(
  entries: readonly Entry[],
  byId: Entries,
  cut: ReadonlySet<string>,
  labels: ReadonlyMap<string, string>,
): SessionTreeNode[] {
  const nodes = new Map<string, SessionTreeNode>();
  for (const entry of entries) {
    const label = labels.get(entry.id);
    nodes.set(entry.id, { entry, children: [], ...(label ? { label } : {}) });
  }
  const roots: SessionTreeNode[] = [];
  for (const node of nodes.values()) {
    const parent = parentOf(node.entry, byId, cut);
    (parent ? nodes.get(parent.id)!.children : roots).push(node);
  }
  for (const { children } of nodes.values()) if (children.length > 1) children.sort(byAge);
  return roots.sort(byAge);
}

/** Oldest first; entries of the same time, or of none, stay in the file's order. */
export function oldestFirst(a: Entry, b: Entry): number {
  return timeOf(a) - timeOf(b);
}

function byAge(a: SessionTreeNode, b: SessionTreeNode): number {
  return oldestFirst(a.entry, b.entry);
}

function timeOf({ timestamp }: Entry): number {
  const time = Date.parse(timestamp);
  return Number.isNaN(time) ? 0 : time;
}
