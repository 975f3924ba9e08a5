import { encodeFile } from '@black-ide/workspace';
import * as z from 'zod';
import { ARTIFACT_KINDS, artifactFolder, MAX_ARTIFACT_CHARS } from '../planning/artifacts.ts';
import { SessionArtifacts } from '../planning/session-artifacts.ts';
import { defineTool, errorResult, type ToolContext } from './define-tool.ts';
import { failureText } from './failure-text.ts';
import type { SessionServices } from './workspace-services.ts';
import { commitOne } from './write-file.ts';

/** Writes a document about the task for the person (IDE-31); its place and name are fixed. */
export const createArtifact = defineTool({
  name: 'create_artifact',
  description: 'Plan or walkthrough. Markdown, whole, in place of an earlier one of its kind.',
  access: 'write',
  rare: 'unless-named',
  parameters: z.object({
    kind: z.enum(ARTIFACT_KINDS),
    content: z.string().trim().min(1).max(MAX_ARTIFACT_CHARS),
  }),
  // Where this very session keeps them is known in `run`, which resolves it again.
  paths: ({ kind }) => [`${artifactFolder('.blackide', 'session')}/${kind}.md`],
  run: async ({ kind, content }, context: ToolContext<SessionServices>) => {
    const { services, signal } = context;
    const place = await new SessionArtifacts(services).place(kind, 'write', signal);
    const text = `${content}\n`;
    const read = await services.documents.read(place.real, signal);
    if (!read.ok && read.error.code !== 'missing') return errorResult(failureText(read.error));
    if (read.ok) {
      // A person may have edited it: what was not read is not written over.
      const checked = services.ledger.check(read.document, place.relative);
      if (!checked.ok) return errorResult(failureText(checked.error));
    }
    const base = read.ok ? read.document : 'absent';
    const bytes = read.ok && read.document.codec ? encodeFile(read.document.codec, text) : Buffer.from(text);
    const result = await commitOne(context, place, base, bytes, ({ path }) => `Wrote ${path}.`, 'no');
    return result.isError ? result : { ...result, details: { ...(result.details as object), artifact: kind } };
  },
});
