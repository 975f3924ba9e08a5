import type { Tree } from 'web-tree-sitter';
import { arrangeSymbols } from './arrange-symbols.ts';
import { MatchCollector } from './collect-matches.ts';
import type { Collected } from './collected.ts';
import { FactsBuilder } from './facts-builder.ts';
import type { FileFacts } from './file-facts.ts';
import type { Grammar } from './grammars.ts';
import type { LineTable } from './line-table.ts';
import { QueryMatches } from './query-matches.ts';
import { isTestFile } from './test-files.ts';

/**
 * What a syntax tree says of a file: symbols, references, imports and bindings, in the order of their places.
 *
 * @param source the very text that was parsed
 * @param path from the root, with `/`: it says whether this is a file of tests
 * @param lines of `source`
 */
export function extractFacts(grammar: Grammar, tree: Tree, source: string, path: string, lines: LineTable): FileFacts {
  const { spec, query, roles, module, language } = grammar;
  const matches = new QueryMatches(module, query, tree);
  let found: Collected;
  try {
    found = new MatchCollector(source, spec, roles, matches).collect();
  } finally {
    matches.free();
  }
  const arranged = arrangeSymbols(source, spec, found, isTestFile(path));
  const facts = new FactsBuilder(source, spec, found, arranged, lines);
  const bindings = facts.bindings();
  return {
    language,
    state: tree.rootNode.hasError || matches.isCut ? 'partial' : 'parsed',
    lines: lines.count,
    symbols: facts.symbols(),
    references: facts.references(),
    imports: facts.imports(),
    bindings,
    names: found.names.names,
  };
}
