import { ACTION_VERBS, SCOPE_NOUNS, TARGETED_WORDS } from './constants.ts';
import { PromptWords } from './prompt-words.ts';

/**
 * Whether a prompt asks for a build of the size of a product (IDE-39): an action verb and a scope noun, and nothing that
 * reads as a targeted change. Pure.
 */
export function shouldOrchestrate(prompt: string): boolean {
  const words = new PromptWords(prompt);
  return words.hasAny(ACTION_VERBS) && words.hasAny(SCOPE_NOUNS) && !words.hasAny(TARGETED_WORDS);
}
