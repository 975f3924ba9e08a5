import type { ReadFlags } from './read-flags.ts';
import { UsageError } from './usage-error.ts';

export interface DiagnoseInvocation {
  command: 'diagnose';
  /** A file, `-`, or an issue on GitHub; as it was typed. */
  report: string;
  /** The folder of the code; the working folder where left out. */
  repo?: string;
  output: 'markdown' | 'json' | 'sarif';
}

const OUTPUTS = ['json', 'markdown', 'sarif'] as const;

export function parseDiagnose({ flags, words }: ReadFlags): DiagnoseInvocation {
  const [report] = words;
  if (report === undefined) throw new UsageError('black diagnose needs a report.', 'black diagnose report.md');
  const chosen = OUTPUTS.filter((name) => flags.has(name));
  if (chosen.length > 1) {
    throw new UsageError(`${chosen.map((name) => `--${name}`).join(' and ')} are several forms; give one of them.`);
  }
  const repo = flags.get('repo');
  return {
    command: 'diagnose',
    report,
    ...(typeof repo === 'string' ? { repo } : {}),
    output: chosen[0] ?? 'markdown',
  };
}
