import type { DiskChanges } from '@black-ide/intel';
import { BlackError, type LanguageItem } from '@black-ide/protocol';
import type { McpServer } from '@modelcontextprotocol/server';
import * as z from 'zod';
import { unwrap } from '../failure.ts';
import { openEngine } from '../headless/open-engine.ts';
import type { Io } from '../io.ts';

/** What other agents may ask: nothing that ends in an edit. */
const OPERATIONS = ['diagnostics', 'definition', 'references', 'hover', 'symbols'] as const;

export interface LanguageQuestion {
  operation: (typeof OPERATIONS)[number];
  path?: string;
  line?: number;
  column?: number;
  symbol?: string;
}

/** The language servers of one folder. */
export interface Languages {
  /** @throws BlackError what keeps it from being answered */
  ask(question: LanguageQuestion): Promise<{ text: string; items: LanguageItem[] }>;
  /** Files have changed on the disk. */
  noticed(changes: DiskChanges): void;
  dispose(): Promise<void>;
}

/** The language servers of a folder, started when they are asked; undefined where none is usable. */
export async function openLanguages(root: string, io: Io): Promise<Languages | undefined> {
  const { engine, dispose } = await openEngine(io, { face: 'mcp', asks: 'refuse', needsHome: false, cwd: root });
  const listed = await engine.execute({ type: 'listLanguageServers' });
  if (!listed.ok || listed.value.servers.every(({ lack }) => lack !== undefined)) {
    await dispose();
    return undefined;
  }
  return {
    ask: async (question) => unwrap(await engine.execute({ type: 'askLanguages', ...question })),
    noticed: (changes) => void engine.execute({ type: 'noticeDiskChanges', ...changes }),
    dispose,
  };
}

/** Offers `lsp`, which only reads. */
export function registerLanguageTool(server: McpServer, { ask }: Languages): void {
  server.registerTool(
    'lsp',
    {
      title: 'Language servers',
      description:
        'Asks the language servers of the folder, which know types: what is wrong with a file or with all (diagnostics), where a name is defined or used (definition, references), its type and doc (hover), what is in a file (symbols).',
      annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
      inputSchema: z.object({
        operation: z.enum(OPERATIONS),
        path: z.string().min(1).optional().describe('the file; only diagnostics do without'),
        line: z.int().min(1).optional(),
        symbol: z.string().min(1).optional().describe('the name in that line, or anywhere in the file, that is meant'),
        column: z.int().min(1).optional().describe('instead of symbol'),
      }),
      outputSchema: z.object({
        items: z.array(
          z.object({
            path: z.string().describe('from the root; absolute outside'),
            line: z.int(),
            column: z.int(),
            text: z.string(),
            kind: z.string().optional(),
            severity: z.int().optional().describe('1 error, 2 warning, 3 information'),
          }),
        ),
      }),
    },
    async ({ operation, ...place }) => {
      const given = Object.fromEntries(Object.entries(place).filter(([, value]) => value !== undefined));
      try {
        const { text, items } = await ask({ operation, ...given });
        return { content: [{ type: 'text', text }], structuredContent: { items } };
      } catch (cause) {
        if (!(cause instanceof BlackError)) throw cause;
        const { message, next } = BlackError.toValue(cause);
        return { content: [{ type: 'text', text: next ? `${message} ${next}` : message }], isError: true };
      }
    },
  );
}
