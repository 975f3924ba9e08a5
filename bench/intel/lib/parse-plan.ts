import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Language } from '../../../packages/intel/src/index.ts';
import { detectLanguage, grammarFile, specOf } from '../../../packages/intel/src/index.ts';

/** Files that are parsed with one grammar and captured with one query; what `parse-once.mjs` does. */
export type ParsePlan = { grammar: string; query: string; files: string[] }[];

/** Writes the plan for the files of a tree: with the grammars and queries of the index, and nothing else of it. */
export function writeParsePlan(file: string, root: string, paths: readonly string[]): void {
  const byLanguage = new Map<Language, string[]>();
  for (const path of paths) {
    const language = detectLanguage(path, () => readFileSync(join(root, path), 'utf8').slice(0, 1000));
    if (language === undefined) continue;
    const files = byLanguage.get(language) ?? [];
    files.push(join(root, path));
    byLanguage.set(language, files);
  }
  const plan: ParsePlan = [];
  for (const [language, files] of byLanguage) {
    const spec = specOf(language);
    if (spec) plan.push({ grammar: grammarFile(language), query: spec.query(), files });
  }
  writeFileSync(file, JSON.stringify(plan));
}
