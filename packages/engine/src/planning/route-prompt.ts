import { PROMPT_COMMANDS } from '@black-ide/protocol';
import {
  CHANGING_WORDS,
  GIVING_VERBS,
  GO_ON,
  GREETING_FILLERS,
  GREETINGS,
  INFORMING_VERBS,
  INTERROGATIVES,
  LOOKING_VERBS,
  MAX_UNPLANNED_WORDS,
  PLANNING_KEYWORDS,
  POLITE_OPENERS,
  TOLD_NOUNS,
} from './constants.ts';
import { PromptWords } from './prompt-words.ts';
import { shouldOrchestrate } from './should-orchestrate.ts';

/** The setting `planning`: as described, the original rule without the exception for questions, or no gate at all. */
export const PLANNING_SETTINGS = ['standard', 'strict', 'off'] as const;
export type PlanningSetting = (typeof PLANNING_SETTINGS)[number];

/** Whether a prompt only says that what was cut off should go on. */
export function saysGoOn(prompt: string): boolean {
  const { words } = new PromptWords(prompt, 10);
  return GO_ON.includes(words.join(' ')) || GO_ON.includes(words.join(''));
}

/** What a prompt's route depends on beside its words. */
export interface RouteFacts {
  setting: PlanningSetting;
  /** Whether the chosen mode can change anything: one that cannot runs as it is. */
  canWrite: boolean;
  /** The person chose the mode for this very prompt: a question then runs in it. */
  explicitMode?: boolean;
  /** Plan first whatever the text is, or never. */
  plan?: boolean;
  /** The task before was to be planned and came to no plan: what is short goes on with that. */
  planningBroke?: boolean;
  /** What of the prompt the person said themselves; the prompt where left out. */
  said?: string;
}

/** Where a prompt goes: into the chosen mode as it is, into Ask, or through a plan first. */
export interface Route {
  to: 'mode' | 'ask' | 'plan';
  /** What is asked for, without the `/command` that said how. */
  text: string;
  /** It is of the size for the pipeline. */
  orchestrate?: boolean;
}

/**
 * The way of a prompt (IDE-29, 30), in this order: slash command, size of a product, planning gate. Pure. There is no
 * pipeline yet: what is of its size goes on to the planning gate, which always plans it.
 */
export function routePrompt(prompt: string, facts: RouteFacts): Route {
  const { does, text } = slashCommand(prompt);
  const said = does === undefined ? (facts.said ?? text) : text;
  if (!facts.canWrite) return { to: 'mode', text };
  if (does === 'inform') return { to: 'ask', text };
  if (facts.plan === false || does === 'direct') return { to: 'mode', text };
  if (facts.plan || does === 'plan') return { to: 'plan', text };
  if (does === 'orchestrate') return { to: 'plan', text, orchestrate: true };
  if (facts.setting === 'off') return { to: 'mode', text };
  if (does !== 'single' && shouldOrchestrate(said)) return { to: 'plan', text, orchestrate: true };
  return { to: planningGate(said, facts), text };
}

function planningGate(said: string, { setting, explicitMode, planningBroke }: RouteFacts): Route['to'] {
  const words = new PromptWords(said);
  const isShort = words.count <= MAX_UNPLANNED_WORDS;
  const isInformal = isGreeting(words) || isQuestion(said);
  if (withoutQuotes(said).hasAny(PLANNING_KEYWORDS)) return 'plan';
  if (isInformal && (isShort || setting === 'standard')) return explicitMode ? 'mode' : 'ask';
  return isShort && !planningBroke ? 'mode' : 'plan';
}

/** A prompt's leading `/command`, taken off; another `/word` is a path, or text. */
function slashCommand(prompt: string): { does?: (typeof PROMPT_COMMANDS)[number]['does']; text: string } {
  const [, name, rest = ''] = /^\s*\/([a-z]+)(?:\s+([\s\S]*))?$/.exec(prompt) ?? [];
  const command = PROMPT_COMMANDS.find((each) => each.name === name);
  if (!command) return { text: prompt };
  const bare = rest.trim();
  return { does: command.does, text: command.isVerb ? `${command.name} ${bare}`.trim() : bare };
}

/** Nothing but a greeting or thanks. */
function isGreeting(words: PromptWords): boolean {
  const opener = words.opener(GREETINGS);
  if (opener === undefined) return false;
  const rest = new PromptWords(words.words.join(' '));
  return rest.words.slice(new PromptWords(opener).count).every((word) => GREETING_FILLERS.includes(word));
}

/** Opens as a question or ends as one. “Could you …?” is one only where it asks to be told something. */
function isQuestion(said: string): boolean {
  const words = withoutQuotes(said);
  const polite = words.opener(POLITE_OPENERS);
  if (polite !== undefined) {
    return asksToBeTold(new PromptWords(words.words.slice(new PromptWords(polite).count).join(' ')));
  }
  return asksToBeTold(words) || /[?？؟]\s*$/.test(said);
}

function asksToBeTold(words: PromptWords): boolean {
  if (words.opener([...INTERROGATIVES, ...INFORMING_VERBS]) !== undefined) return true;
  const looks = words.opener(LOOKING_VERBS) ?? (words.hasAny(TOLD_NOUNS) ? words.opener(GIVING_VERBS) : undefined);
  return looks !== undefined && !words.hasAny(CHANGING_WORDS);
}

/** So much of a prompt is looked at: a message may be a pasted book. */
const MAX_CHARS = 40_000;

/** What is quoted or code is what the prompt is about, not what it asks for. */
function withoutQuotes(said: string): PromptWords {
  return new PromptWords(
    said.slice(0, MAX_CHARS).replaceAll(/```[\s\S]*?```|`[^`\n]*`|"[^"\n]*"|“[^”\n]*”|«[^»\n]*»/g, ' … '),
  );
}
