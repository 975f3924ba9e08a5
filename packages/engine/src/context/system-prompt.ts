import { readAsset } from '@black-ide/workspace';
import type { Mode } from '../modes/mode.ts';

export interface PromptFacts {
  cwd: string;
  platform: string;
  /** ISO 8601 of the session's start: the day must not change the prefix of a session that runs past midnight. */
  started: string;
  /** The folder is not trusted: only reading works. */
  untrusted?: boolean;
  /** Tools that have nothing to work with in this session. */
  lacking?: readonly string[];
}

/**
 * The system prompt: equal facts give equal bytes.
 * @param rules standing rules, as the session's log has them; may be empty.
 * @param plan what a planned task adds, last: what stands before it stays as it is.
 */
export function systemPrompt(mode: Mode, facts: PromptFacts, rules = '', plan = ''): string {
  const template = readAsset(new URL('../../prompts/system.md', import.meta.url));
  const values: Record<string, string> = {
    cwd: facts.cwd,
    platform: facts.platform,
    date: facts.started.slice(0, 10),
  };
  const filled = template.replaceAll(/\{\{(\w+)\}\}/g, (whole, name: string) => values[name] ?? whole);
  const limits = facts.untrusted ? readAsset(new URL('../../prompts/untrusted.md', import.meta.url)).trim() : '';
  return [`${filled.trim()}\n\n# Mode: ${mode.name}\n${mode.body}`, limits, rules, plan].filter(Boolean).join('\n\n');
}
