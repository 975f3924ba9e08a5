import type { GraphAction, GraphAnswer } from '@black-ide/intel';
import * as z from 'zod';
import { MAX_CHARS, PATIENCE_MS, UNFINISHED } from './codebase-search.ts';
import { defineTool, type ToolContext, textResult } from './define-tool.ts';
import type { SessionServices } from './workspace-services.ts';

/** Listed here, so that the package need not be loaded to describe the tool; without one a symbol is explained. */
const ACTIONS = [
  'callers',
  'callees',
  'references',
  'impact',
  'tests',
  'path',
  'dead',
] as const satisfies readonly GraphAction[];

/** Calls that an impact goes over, at most. */
const MOST_DEPTH = 20;

export const codeGraph = defineTool({
  name: 'code_graph',
  description: 'What a symbol (`name`, `Class.name`, `path:line`) or file is, and what uses it.',
  access: 'read',
  parameters: z.object({
    action: z.enum(ACTIONS).optional(),
    symbol: z.string().optional(),
    to: z.string().optional().describe('for path'),
    depth: z.int().optional(),
  }),
  paths: ({ symbol, to }) => [symbol, to].flatMap((name) => pathIn(name) ?? []),
  run: async ({ action, symbol, to, depth }, { services, signal }: ToolContext<SessionServices>) => {
    const [{ answerPage, askGraph, pageText }, intel] = await Promise.all([
      import('@black-ide/intel'),
      services.code.ready(PATIENCE_MS, signal),
    ]);
    const answer = askGraph(intel, {
      action: action ?? 'explain',
      ...(symbol === undefined ? {} : { of: fromRoot(symbol, services) }),
      ...(to === undefined ? {} : { to: fromRoot(to, services) }),
      ...(depth === undefined ? {} : { depth: Math.min(Math.max(depth, 1), MOST_DEPTH) }),
      signal,
    });
    const text = pageText(answerPage({ ...answer, complete: true }), MAX_CHARS);
    const note = answer.complete ? '' : `\n[${UNFINISHED}]`;
    return textResult(text + note, {
      kind: 'code_graph',
      action: answer.action,
      status: answer.status,
      ...countOf(answer),
    });
  },
});

/** `src/a.ts` of `src/a.ts:12`; undefined for what is no path. */
function pathIn(name: string | undefined): string | undefined {
  const path = name?.replace(/:[^:/\\]*$/, '');
  return path && /[/\\]/.test(path) ? path : undefined;
}

/** A path in whatever form, as the index has it. */
function fromRoot(name: string, services: SessionServices): string {
  const path = pathIn(name);
  return path === undefined ? name : services.resolve(path, 'read').relative + name.slice(path.length);
}

/** How much was found, for a face. */
function countOf({ callers, callees, references, impact, tests, dead, way }: GraphAnswer): { found?: number } {
  const list = references?.items.length ? references : (impact ?? dead ?? callers ?? callees ?? tests);
  const found = way?.length ?? list?.total;
  return found === undefined ? {} : { found };
}
