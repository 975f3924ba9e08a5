import { hasMarks } from '@black-ide/workspace';
import * as z from 'zod';
import { STRUCTURE } from './ast-grep.ts';
import { defineTool, errorResult, type ToolContext, textResult } from './define-tool.ts';
import type { SessionServices } from './workspace-services.ts';

/** Of the difference the model reads so many characters; a person is shown more. */
const MAX_DIFF = 6_000;

export const astEdit = defineTool({
  name: 'ast_edit',
  description:
    'Stages a rewrite of code by shape. Nothing is written until `resolve`. Every match of `pattern` becomes `rewrite`, in which its metavariables stand for what they matched.',
  access: 'control',
  // It writes nothing, whatever it is told.
  steers: true,
  rare: true,
  parameters: z.object({ ...STRUCTURE, rewrite: z.string() }),
  paths: ({ paths = [] }) => paths,
  run: async ({ pattern, rewrite, lang, paths = [] }, { services, signal }: ToolContext<SessionServices>) => {
    if (hasMarks(rewrite)) {
      return errorResult(
        'The rewrite holds a mark in place of a secret. Write it without, e.g. with $X for that part.',
      );
    }
    const inside = paths.map((path) => services.resolve(path, 'write').relative);
    const { staged, diff } = await services.staged.stage({ pattern, rewrite, lang, paths: inside }, signal);
    const { id, files, places } = staged;
    const cut = diff.length > MAX_DIFF ? `${diff.slice(0, MAX_DIFF).toWellFormed()}\n[the rest is not shown]` : diff;
    const head = `Staged as ${id}: ${places} places in ${files.length} files; nothing is written yet. resolve {"id": "${id}", "action": "commit"} writes it.`;
    const list = files.slice(0, 50).map((file) => `${file.path}: ${file.places} (+${file.added} −${file.removed})`);
    const more = files.length > list.length ? [`… and ${files.length - list.length} more files`] : [];
    return textResult([head, ...list, ...more, '', cut].join('\n'), {
      kind: 'staged_edit',
      id,
      places,
      files: files.map(({ path, added, removed }) => ({ path, added, removed })),
      diff,
    });
  },
});
