import type { CodeIntelligence } from '../code-intelligence-api.ts';
import { docOf } from '../describe/doc-of.ts';
import { signatureOf } from '../describe/signature-of.ts';
import type { CodeReference, SymbolId } from '../graph/code-graph-api.ts';
import type { CalleeFacts, SymbolFacts, UseFacts } from './graph-answer.ts';
import { fullName } from './name-symbol.ts';

type Intel = Pick<CodeIntelligence, 'graph' | 'lines'>;

/** Of a minified file a line may be all of it. */
const MOST_CODE = 300;

/** What the graph itself knows of a symbol. */
export function bareFacts({ graph }: Pick<Intel, 'graph'>, id: SymbolId): SymbolFacts {
  const symbol = graph.symbol(id);
  const { kind, path, nameLine: line, startLine, endLine, exported, isTest } = symbol;
  return { symbol: fullName(symbol), kind, path, line, startLine, endLine, exported, isTest };
}

/** The same with what its file says: signature and doc comment. */
export function symbolFacts(intel: Intel, id: SymbolId): SymbolFacts {
  const symbol = intel.graph.symbol(id);
  const signature = signatureOf(intel, symbol);
  const doc = docOf(intel, symbol);
  return { ...bareFacts(intel, id), ...(signature ? { signature } : {}), ...(doc ? { doc } : {}) };
}

/** A use with the line of code that it stands on. */
export function useFacts(intel: Intel, reference: CodeReference, times = 1): UseFacts {
  const { path, line, kind, certainty, from } = reference;
  const user = from === undefined ? undefined : intel.graph.symbol(from);
  const code = intel.lines(path, line, line)?.[0]?.trim().slice(0, MOST_CODE).toWellFormed();
  return {
    path,
    line,
    kind,
    certainty,
    ...(user ? { in: fullName(user) } : {}),
    isTest: user?.isTest ?? isTestFile(intel, reference),
    times,
    ...(code ? { code } : {}),
  };
}

function isTestFile({ graph }: Intel, { file }: CodeReference): boolean {
  const [first] = graph.symbolsOf(file);
  return first !== undefined && graph.symbol(first).isTest;
}

export function calleeFacts(intel: Intel, { line, kind, certainty, to }: CodeReference): CalleeFacts {
  const targets = to.map((id) => bareFacts(intel, id));
  return {
    line,
    kind,
    certainty,
    to: targets.map((target) => ({
      symbol: target.symbol,
      kind: target.kind,
      path: target.path,
      line: target.line,
    })),
  };
}
