import type { Tree } from 'web-tree-sitter';
import { arrangeSymbols } from './arrange-symbols.ts';
import { MatchCollector } from './collect-matches.ts';
import { FactsBuilder } from './facts-builder.ts';
import type { FileFacts } from './file-facts.ts';
import type { Grammar } from './grammars.ts';
import { LineTable } from './line-table.ts';
import { QueryMatches } from './query-matches.ts';
import { isTestFile } from './test-files.ts';

/**
 * What a syntax tree says of a file: symbols, references, imports and bindings, in the order of their places.
 *
 * @param source the very text that was parsed
 * @param path from the root, with `/`: it says whether this is a file of tests
 */
export function extractFacts(grammar: Grammar, tree: Tree, source: string, path: string): FileFacts {
  const { spec, query, roles, module, language } = grammar;
  const matches = new QueryMatches(module, query, tree);
  const found = new MatchCollector(source, spec, roles, matches).collect();
  const arranged = arrangeSymbols(source, spec, found, isTestFile(path));
  const lines = new LineTable(source);
  const facts = new FactsBuilder(source, spec, found, arranged, lines);
  const bindings = facts.bindings();
  return {
    language,
    state: tree.rootNode.hasError ? 'partial' : 'parsed',
    lines: lines.count,
    symbols: facts.symbols(),
    references: facts.references(),
    imports: facts.imports(),
    bindings,
    names: found.names.names,
  };
}
