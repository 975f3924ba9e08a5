import type { ReadFlags } from './read-flags.ts';
import { UsageError } from './usage-error.ts';

export interface AstInvocation {
  command: 'ast';
  pattern: string;
  lang?: string;
  /** As they were typed. */
  paths: string[];
  rewrite?: string;
  /** Write the rewrite. */
  apply: boolean;
  json: boolean;
}

export function parseAst({ flags, words: [pattern = '', ...paths] }: ReadFlags): AstInvocation {
  if (pattern.trim() === '') throw new UsageError('The pattern is empty.', "black ast 'console.log($X)' src");
  const lang = flags.get('lang');
  const rewrite = flags.get('rewrite');
  const apply = flags.has('apply');
  if (apply && typeof rewrite !== 'string') {
    throw new UsageError('--apply writes a rewrite; there is none.', "black ast 'old($X)' --rewrite 'new($X)' --apply");
  }
  return {
    command: 'ast',
    pattern,
    ...(typeof lang === 'string' ? { lang } : {}),
    paths,
    ...(typeof rewrite === 'string' ? { rewrite } : {}),
    apply,
    json: flags.has('json'),
  };
}
