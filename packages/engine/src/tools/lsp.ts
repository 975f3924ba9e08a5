import { BlackError, LANGUAGE_OPERATIONS } from '@black-ide/protocol';
import * as z from 'zod';
import { askLanguages } from '../languages/language-call.ts';
import { defineTool, type ToolContext, textResult } from './define-tool.ts';
import type { SessionServices } from './workspace-services.ts';

/** A server that has not answered by then is reading a huge project, or hangs. */
const MAX_SECONDS = 60;

export const lsp = defineTool({
  name: 'lsp',
  description:
    'Asks language servers: diagnostics, definition, references, rename and more. Nothing is written: a rename comes as a diff.',
  access: 'read',
  rare: true,
  parameters: z.object({
    operation: z.enum(LANGUAGE_OPERATIONS),
    path: z.string().optional().describe('file; without it diagnostics are those of the workspace'),
    line: z.int().min(1).optional(),
    symbol: z.string().optional().describe('the name in that line, or anywhere in the file, that is meant'),
    column: z.int().min(1).optional().describe('instead of symbol'),
    query: z.string().optional().describe('for workspace_symbols'),
    new_name: z.string().optional().describe('for rename'),
  }),
  paths: ({ path }) => (path === undefined ? [] : [path]),
  run: async ({ new_name, ...question }, { services, signal }: ToolContext<SessionServices>) => {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(MAX_SECONDS * 1000)]);
    try {
      const { text, total } = await askLanguages({ ...question, newName: new_name }, services, limit);
      return textResult(text, { kind: 'lsp', hits: total });
    } catch (cause) {
      if (!limit.aborted || signal.aborted) throw cause;
      throw new BlackError('too_slow', `No language server has answered in ${MAX_SECONDS} s.`, 'Try again later.');
    }
  },
});
