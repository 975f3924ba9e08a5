import { encodeFile } from '@black-ide/workspace';
import * as z from 'zod';
import { knowledgePlace } from '../knowledge/knowledge-place.ts';
import { KNOWLEDGE_FILES, MEMORY_KINDS } from '../knowledge/memory.ts';
import { mergeMemory } from '../knowledge/merge-memory.ts';
import { defineTool, errorResult, type ToolContext } from './define-tool.ts';
import { failureText } from './failure-text.ts';
import type { SessionServices } from './workspace-services.ts';
import { commitOne } from './write-file.ts';

/** Writes down what later sessions should know of the project (IDE-68). */
export const remember = defineTool({
  name: 'remember',
  description: "Keeps a fact about the project for later sessions. A person's own text stays as it is.",
  access: 'write',
  rare: true,
  parameters: z.object({
    kind: z.enum(MEMORY_KINDS),
    title: z.string().trim().min(1).max(200),
    text: z.string().trim().min(1).max(20_000),
    status: z.string().trim().min(1).max(60).optional(),
  }),
  paths: ({ kind }) => [`.blackide/knowledge/${KNOWLEDGE_FILES[kind].file}`],
  run: async ({ status, ...said }, context: ToolContext<SessionServices>) => {
    const { services, signal } = context;
    const place = await knowledgePlace(services.documents, services.root, signal);
    const resolved = services.resolve(`${place}/${KNOWLEDGE_FILES[said.kind].file}`, 'write');
    if (resolved.protected) return errorResult(`${resolved.relative}: ${resolved.protected.why}.`);
    const memory = { ...said, ...(status === undefined ? {} : { status }) };
    const date = new Date(services.now()).toISOString().slice(0, 10);
    const read = await services.documents.read(resolved.real, signal);
    if (!read.ok) {
      if (read.error.code !== 'missing') return errorResult(failureText(read.error));
      const { text } = mergeMemory(undefined, memory, date);
      return commitOne(context, resolved, 'absent', Buffer.from(text), ({ path }) => `Remembered in ${path}.`);
    }
    const { document } = read;
    if (document.text === null || document.codec === null) {
      return errorResult(`${resolved.relative} is not text: ${document.binary}.`);
    }
    const { text, outcome } = mergeMemory(document.text, memory, date);
    return commitOne(context, resolved, document, encodeFile(document.codec, text), ({ path }) => {
      const how = outcome === 'added beside' ? " A person's own entry of that name stays beside it." : '';
      return `Remembered in ${path}${outcome === 'replaced' ? ', in place of what was there' : ''}.${how}`;
    });
  },
});
