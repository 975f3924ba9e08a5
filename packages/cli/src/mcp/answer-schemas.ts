import { GRAPH_ACTIONS } from '@black-ide/intel';
import * as z from 'zod';

/** What the tools answer, as other agents' programs read it. */

const certainty = z.enum(['import', 'scope', 'unique-name', 'ambiguous']);

const place = { path: z.string().describe('from the root'), line: z.int() };

const symbol = z.object({
  symbol: z.string().describe('Container.name'),
  kind: z.string(),
  ...place,
  startLine: z.int(),
  endLine: z.int(),
  exported: z.boolean(),
  isTest: z.boolean(),
  signature: z.string().optional(),
  doc: z.string().optional(),
});

const use = z.object({
  ...place,
  kind: z.string(),
  certainty,
  in: z.string().optional().describe('the symbol that uses it'),
  isTest: z.boolean(),
  times: z.int(),
  code: z.string().optional(),
});

const callee = z.object({
  line: z.int(),
  kind: z.string(),
  certainty,
  to: z.array(z.object({ symbol: z.string(), kind: z.string(), ...place })),
});

const reached = symbol.extend({ depth: z.int(), certainty });

const imported = z.object(place);

function listed<T extends z.ZodType>(item: T) {
  return z.object({ total: z.int(), atLeast: z.literal(true).optional(), items: z.array(item) });
}

export const graphAnswer = z.object({
  action: z.enum(GRAPH_ACTIONS),
  asked: z.string(),
  status: z.enum(['ok', 'unknown', 'ambiguous']),
  complete: z.boolean().describe('false: not all files were indexed yet'),
  symbol: symbol.optional(),
  file: z
    .object({
      path: z.string(),
      language: z.string().optional(),
      symbols: listed(symbol),
      imports: listed(imported),
      importers: listed(imported),
    })
    .optional(),
  callers: listed(use).optional(),
  callees: listed(callee).optional(),
  references: listed(use).optional(),
  implementations: listed(symbol).optional(),
  impact: listed(reached).extend({ depth: z.int(), files: z.int(), tests: z.int() }).optional(),
  tests: listed(reached).optional(),
  to: symbol.optional(),
  way: z.array(symbol).optional(),
  dead: listed(symbol).optional(),
  candidates: listed(symbol).optional(),
  nearest: z.array(symbol).optional(),
});

export const searchAnswer = z.object({
  complete: z.boolean().describe('false: not all files were indexed yet'),
  hits: z.array(
    z.object({
      rank: z.int(),
      path: z.string(),
      startLine: z.int(),
      endLine: z.int(),
      symbol: z.string().optional(),
      score: z.number(),
      why: z.object({ words: z.array(z.string()), rankers: z.array(z.enum(['words', 'meaning'])) }),
      code: z.object({ line: z.int(), text: z.string() }).optional(),
    }),
  ),
});

export const mapAnswer = z.object({
  complete: z.boolean().describe('false: not all files were indexed yet'),
  tokens: z.int(),
  files: z.array(
    z.object({
      path: z.string(),
      symbols: z.array(
        z.object({
          name: z.string(),
          container: z.array(z.string()),
          kind: z.string(),
          line: z.int(),
          signature: z.string(),
          depth: z.int(),
        }),
      ),
    }),
  ),
  links: z.array(z.object({ from: z.string(), to: z.string(), count: z.int() })),
});

export const shapeAnswer = z.object({
  found: z.int().describe('how many there are; `matches` may be fewer'),
  matches: z.array(
    z.object({
      path: z.string(),
      startLine: z.int(),
      startColumn: z.int(),
      endLine: z.int(),
      endColumn: z.int(),
      captures: z.array(z.object({ name: z.string(), text: z.string() })),
    }),
  ),
});
