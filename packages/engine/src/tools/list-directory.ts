import { type ListedEntry, listDirectory as list } from '@black-ide/workspace';
import * as z from 'zod';
import { defineTool, type ToolContext, textResult } from './define-tool.ts';
import type { SessionServices } from './workspace-services.ts';

const MAX_ENTRIES = 400;

export const listDirectory = defineTool({
  name: 'list_directory',
  description: 'Lists a folder, and what is below it to a depth. Folders end in `/`.',
  access: 'read',
  parameters: z.object({
    path: z.string().optional(),
    depth: z.int().min(1).max(10).optional(),
  }),
  paths: ({ path }) => (path === undefined ? [] : [path]),
  run: async ({ path, depth = 1 }, { services, signal }: ToolContext<SessionServices>) => {
    const folder = path === undefined ? undefined : services.resolve(path, 'read').relative;
    const listing = await list({
      root: services.root,
      ...(folder === undefined ? {} : { path: folder }),
      depth,
      maxEntries: MAX_ENTRIES,
      signal,
    });
    const lines = listing.entries.map(entryText);
    if (lines.length === 0) lines.push('[empty]');
    if (listing.cut) lines.push(`[only ${listing.entries.length} entries shown; list a folder below]`);
    if (listing.unreadable > 0) lines.push(`[${listing.unreadable} folder(s) cannot be read]`);
    return textResult(lines.join('\n'), { kind: 'list', path: folder ?? '.', entries: listing.entries.length });
  },
});

function entryText({ path, kind, omitted }: ListedEntry): string {
  const name = kind === 'folder' ? `${path}/` : path;
  return omitted ? `${name} [${omitted} more]` : name;
}
