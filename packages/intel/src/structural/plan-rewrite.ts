import { BlackError } from '@black-ide/protocol';
import { PatternParsers } from './pattern-parsers.ts';
import { Replacement } from './replacement.ts';
import { rewriteText } from './rewrite-text.ts';
import { type StructuralReport, StructuralSearch, type StructuralSearchOptions } from './structural-search.ts';

export interface RewriteOptions extends StructuralSearchOptions {
  replacement: string;
  /** The text of a file as it is to be rewritten. @throws where it cannot be read */
  read(path: string): Promise<string>;
}

export interface RewrittenFile {
  /** From the root, with `/`. */
  path: string;
  before: string;
  after: string;
  places: number;
}

export interface RewritePlan {
  /** In the order of the walk; files that stay as they are are left out. */
  files: RewrittenFile[];
  places: number;
  report: StructuralReport;
}

/** Nobody looks through more, and each is held in memory. */
const MOST_FILES = 5_000;

/**
 * What a rewrite would do to the files of a workspace; nothing is written.
 * @throws BlackError `no_match`, `unchanged`, `too_many_files`, those of `rewriteText`, `Replacement` and
 * `StructuralSearch.files`; the signal's reason
 */
export async function planRewrite(options: RewriteOptions): Promise<RewritePlan> {
  const parsers = new PatternParsers();
  try {
    const search = new StructuralSearch(options, parsers);
    const files: RewrittenFile[] = [];
    let matched = 0;
    for await (const { path, pattern } of search.files()) {
      const replacement = new Replacement(options.replacement, pattern.names);
      const before = await options.read(path);
      const rewritten = await rewriteText(parsers, pattern, replacement, path, before);
      matched += rewritten?.places ?? 0;
      if (!rewritten || rewritten.text === before) continue;
      files.push({ path, before, after: rewritten.text, places: rewritten.places });
      if (files.length > MOST_FILES) throw tooMany();
    }
    if (matched === 0) throw noMatch(search.report);
    if (files.length === 0) throw unchanged(matched);
    const places = files.reduce((sum, file) => sum + file.places, 0);
    return { files, places, report: search.report };
  } finally {
    await parsers.dispose();
  }
}

function noMatch({ files, skipped }: StructuralReport): BlackError {
  const left = skipped.length > 0 ? `, and ${skipped.length} could not be searched` : '';
  return new BlackError(
    'no_match',
    `Nothing matches the pattern (${files} ${files === 1 ? 'file was' : 'files were'} searched${left}).`,
    'Search with the pattern alone first, and make it wider.',
  );
}

function unchanged(places: number): BlackError {
  return new BlackError(
    'unchanged',
    `The replacement is what stands there already, in all ${places} places.`,
    'Change the replacement.',
  );
}

function tooMany(): BlackError {
  return new BlackError(
    'too_many_files',
    `More than ${MOST_FILES} files would change.`,
    'Name paths, and rewrite one part at a time.',
  );
}
