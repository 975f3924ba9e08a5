/** A `/command` that a message may begin with and that the engine understands, in whatever face it was typed. */
export interface PromptCommand {
  name: string;
  about: string;
  /**
   * `inform`: answered without changing anything; `single`: the rest goes on as if it were all; `plan`: planned first;
   * `direct`: done without a plan; `orchestrate`: a build in phases.
   */
  does: 'inform' | 'single' | 'plan' | 'direct' | 'orchestrate';
  /** The word belongs to the request, e.g. `/explain x` asks to explain x; else it only says how. */
  isVerb?: boolean;
}

/** In the order in which help shows them. */
export const PROMPT_COMMANDS: readonly PromptCommand[] = [
  { name: 'ask', about: 'a question: nothing is changed', does: 'inform' },
  { name: 'explain', about: 'have something explained', does: 'inform', isVerb: true },
  { name: 'review', about: 'have something looked through', does: 'inform', isVerb: true },
  { name: 'plan', about: 'plan this first', does: 'plan' },
  { name: 'direct', about: 'do this without a plan', does: 'direct' },
  { name: 'single', about: 'one agent, whatever the size', does: 'single' },
  { name: 'orchestrate', about: 'a build in phases', does: 'orchestrate' },
];
