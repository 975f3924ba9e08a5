// Reads, parses and captures files one after another: what web-tree-sitter by itself costs. parse-plan.ts writes the plan.
import { readFileSync } from 'node:fs';
import { Language, Parser, Query } from 'web-tree-sitter';

/** @type {import('./lib/parse-plan.ts').ParsePlan} */
const plan = JSON.parse(readFileSync(/** @type {string} */ (process.argv[2]), 'utf8'));
await Parser.init();
const parser = new Parser();
let captures = 0;
for (const { grammar, query: source, files } of plan) {
  const language = await Language.load(readFileSync(grammar));
  const query = new Query(language, source);
  parser.setLanguage(language);
  for (const file of files) {
    const tree = parser.parse(readFileSync(file, 'utf8'));
    if (!tree) throw new Error(`${file} was not parsed`);
    captures += query.captures(tree.rootNode).length;
    tree.delete();
  }
}
console.log(captures);
