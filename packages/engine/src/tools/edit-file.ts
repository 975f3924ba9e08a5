import { describeRung, editBytes } from '@black-ide/workspace';
import * as z from 'zod';
import { defineTool, errorResult, type ToolContext } from './define-tool.ts';
import { failureText } from './failure-text.ts';
import { refuseOmission } from './refuse-omission.ts';
import type { SessionServices } from './workspace-services.ts';
import { commitOne } from './write-file.ts';

export const editFile = defineTool({
  name: 'edit_file',
  description:
    'Replaces text in a file. `old_string` must occur exactly once (or set `replace_all`); take it from the file as it is, without line numbers.',
  access: 'write',
  parameters: z.object({
    path: z.string(),
    old_string: z.string(),
    new_string: z.string(),
    replace_all: z.boolean().optional(),
  }),
  paths: ({ path }) => [path],
  run: async ({ path, old_string, new_string, replace_all }, context: ToolContext<SessionServices>) => {
    const { services, signal } = context;
    const resolved = services.resolve(path, 'write');
    const read = await services.documents.read(resolved.real, signal);
    if (!read.ok) return errorResult(failureText(read.error));
    const { document } = read;
    const { text, codec } = document;
    if (text === null || codec === null) {
      return errorResult(`${resolved.relative} is not text: ${document.binary}. edit_file changes text files only.`);
    }
    const seen = services.ledger.versionOf(document.path);
    if (seen !== undefined && seen !== document.version) {
      const checked = services.ledger.check(document, resolved.relative);
      if (!checked.ok) return errorResult(failureText(checked.error));
    }
    const omission = refuseOmission(new_string, old_string, resolved.relative);
    if (omission) return omission;
    const edit = { oldText: old_string, newText: new_string, ...(replace_all ? { all: true } : {}) };
    const edited = editBytes({ bytes: document.bytes, text, codec }, [edit]);
    if (!edited.ok) return errorResult(failureText(edited));
    const { rung, targets } = edited.edits[0]!;
    const places = targets.length > 1 ? `, ${targets.length} places` : '';
    const how = rung === 'exact' ? '' : ` Matched with ${describeRung(rung)} overlooked.`;
    return commitOne(context, resolved, document, edited.file.bytes, (change) => {
      return `Edited ${change.path} (+${change.added} −${change.removed}${places}).${how}`;
    });
  },
});
