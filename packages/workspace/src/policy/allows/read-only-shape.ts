import type { ShellNode } from '../shell/shell-parser.ts';

/** The only syntax a provably read-only line may be made of; the approach is that of codex's `bash.rs`. */
const NODES: ReadonlySet<string> = new Set(
  (
    'program list pipeline command command_name word string string_content raw_string number concatenation ' +
    'redirected_statement file_redirect file_descriptor comment'
  ).split(' '),
);
const TOKENS = /^(&&|\|\||;|\||\n|"|>|>>|>&|&>)$/;

/** Whether the line holds nothing but plain commands in chains and pipes, and redirections to nowhere. */
export function isReadOnlyShape(node: ShellNode, source: string): boolean {
  if (node.type === 'file_redirect') return isToNowhere(source.slice(node.start, node.end));
  if (node.children.length === 0 && !NODES.has(node.type)) return TOKENS.test(node.type);
  return NODES.has(node.type) && node.children.every((child) => isReadOnlyShape(child, source));
}

function isToNowhere(text: string): boolean {
  return /^(\d?>>?|&>>?)\s*\/dev\/null$|^\d?>&\s*[12]$/.test(text);
}
