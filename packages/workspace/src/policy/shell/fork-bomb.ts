import type { ShellNode } from './shell-parser.ts';

/** Nodes that start a further process. */
const FORKS = /^(pipeline|subshell|command_substitution|process_substitution)$/;

interface Body {
  calls: Set<string>;
  forks: boolean;
}

/** Whether the line defines a function that calls itself, by whatever way, in processes of its own. */
export function isForkBomb(root: ShellNode, source: string): boolean {
  const bodies = new Map<string, Body>();
  collect(root, source, bodies);
  return [...bodies].some(([name]) => {
    const reached = reach(name, bodies);
    return reached.has(name) && [...reached].some((other) => bodies.get(other)?.forks);
  });
}

function collect(node: ShellNode, source: string, bodies: Map<string, Body>): void {
  if (node.type === 'function_definition') {
    const name = node.children.find((child) => child.field === 'name');
    const body = node.children.find((child) => child.field === 'body');
    if (name && body) {
      const found: Body = { calls: new Set(), forks: false };
      survey(body, source, found);
      bodies.set(source.slice(name.start, name.end), found);
    }
  }
  for (const child of node.children) collect(child, source, bodies);
}

function survey(node: ShellNode, source: string, body: Body): void {
  if (FORKS.test(node.type) || node.type === '&') body.forks = true;
  if (node.type === 'command_name') body.calls.add(source.slice(node.start, node.end));
  for (const child of node.children) survey(child, source, body);
}

/** Every function the named one comes to call. */
function reach(name: string, bodies: Map<string, Body>): Set<string> {
  const reached = new Set<string>();
  const open = [name];
  while (open.length > 0) {
    for (const called of bodies.get(open.pop() as string)?.calls ?? []) {
      if (!reached.has(called)) open.push(called);
      reached.add(called);
    }
  }
  return reached;
}
