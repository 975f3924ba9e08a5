import type { LanguageModelV4FunctionTool } from '@ai-sdk/provider';
import { type ApprovedPlan, BlackError, type Entry, type NewEntry, type ThinkingLevel } from '@black-ide/protocol';
import { PLAN_TEXTS } from '../context/plan-texts.ts';
import { type PromptFacts, systemPrompt } from '../context/system-prompt.ts';
import { PROVIDERS } from '../llm/constants.ts';
import type { ResolvedModel } from '../llm/model.ts';
import type { Mode } from '../modes/mode.ts';
import type { ModeLoader } from '../modes/mode-loader.ts';
import { canWrite, executingMode, planningMode } from '../planning/planning-mode.ts';
import { planningBroke, planningState, unfinishedPlan } from '../planning/planning-state.ts';
import { type PlanningSetting, routePrompt, saysGoOn } from '../planning/route-prompt.ts';
import type { Prompt } from '../session/agent-session.ts';
import type { ToolRegistry } from '../tools/registry.ts';

/** Model, mode and thinking of a task, resolved before anything is logged. */
export interface Choice {
  model: ResolvedModel;
  thinking?: ThinkingLevel;
  mode: Mode;
  /** What the session stays in where this task runs in another mode. */
  sessionMode: Mode;
  system: string;
  tools: LanguageModelV4FunctionTool[];
  /** What every system prompt of the task begins with. */
  prompt: { facts: PromptFacts; rules: string };
  /** What is to be logged of standing rules before the task begins. */
  rules: NewEntry[];
  /** Who named the model; absent: nobody, it is the usual one. */
  chosenBy?: 'person' | 'mode';
  /** What is wrong with the configuration, and was not told yet. */
  warnings: string[];
}

/** Messages on their way to a task, and what was decided of it. */
export interface Routed {
  choice: Choice;
  prompts: readonly Prompt[];
  /** It is planned first. */
  planning: boolean;
  /** It goes on with this plan, which a task before did not bring to an end. */
  plan?: ApprovedPlan;
  /** Why the messages cannot be done as they ask for it; they are done without a plan where nobody can be told. */
  refusal?: BlackError;
}

interface RoutingParts {
  modes: ModeLoader;
  registry: ToolRegistry<never>;
  /** The setting `planning`. @throws BlackError where it is none of its values. */
  planning(): PlanningSetting;
  /** The person chose the mode for this very message. */
  explicitMode?: boolean;
  /** What of the message the person said themselves. */
  said?: string;
  /** The conversation so far. */
  path: readonly Entry[];
}

/**
 * Where messages go (IDE-29, 30). The built-in provider plans nothing: it is no language model, and does what a request
 * says by fixed rules.
 */
export function routeTask(choice: Choice, prompts: readonly Prompt[], parts: RoutingParts): Routed {
  const { modes, registry, planning, explicitMode = false, said, path } = parts;
  const isOffline = choice.model.provider === PROVIDERS.offline;
  const facts = {
    setting: isOffline ? 'off' : planning(),
    // Where nothing may be changed there is nothing to plan, nor a place for a plan.
    canWrite: !choice.prompt.facts.untrusted && canWrite(choice.mode, registry),
    explicitMode,
    planningBroke: planningBroke(path),
    ...(said === undefined ? {} : { said }),
  };
  const routes = prompts.map(({ text, plan }) =>
    routePrompt(text, { ...facts, ...(plan === undefined ? {} : { plan }) }),
  );
  const routed = prompts.map((prompt, at) => ({ ...prompt, text: routes[at]!.text || prompt.text }));
  const isPlanned = routes.some(({ to }) => to === 'plan');
  const isAsked = routes.every(({ to }) => to === 'ask');
  const plan = prompts.every(({ text }) => saysGoOn(text)) ? unfinishedPlan(path) : undefined;
  const isEmpty = routes.some(({ text }) => text.trim() === '');
  return {
    choice: isAsked ? inMode(choice, modes.get('ask'), registry) : choice,
    prompts: routed,
    planning: isPlanned && !isOffline,
    ...(plan ? { plan } : {}),
    ...(isEmpty ? { refusal: EMPTY() } : isPlanned && isOffline ? { refusal: NO_PLANNER() } : {}),
  };
}

/** The tools and the prompt of a planned task's phase; the prefix changes here and nowhere else (IDE-23). */
export function inPhase(choice: Choice, path: readonly Entry[], registry: ToolRegistry<never>): Choice {
  const state = planningState(path);
  if (!state) return choice;
  return state.phase === 'planning'
    ? inMode(choice, planningMode(choice.mode, registry), registry, PLAN_TEXTS.planning())
    : inMode(choice, executingMode(choice.mode, registry), registry, PLAN_TEXTS.approvedPlan(state.plan!));
}

/** The choice with another mode's tools and prompt; `plan` is what a plan adds to it. */
export function inMode(choice: Choice, mode: Mode, registry: ToolRegistry<never>, plan = ''): Choice {
  const { facts, rules } = choice.prompt;
  return { ...choice, mode, system: systemPrompt(mode, facts, rules, plan), tools: toolsOf(mode, registry, facts) };
}

/** What a request offers in a mode; in a folder that is not trusted nothing that writes. */
export function toolsOf(
  mode: Mode,
  registry: ToolRegistry<never>,
  { untrusted, lacking = [] }: PromptFacts,
): LanguageModelV4FunctionTool[] {
  return registry.definitions(
    mode,
    ({ name, access }) => (!untrusted || access !== 'write') && !lacking.includes(name),
  );
}

const EMPTY = () => new BlackError('empty_prompt', 'The message is empty behind its command.', 'Say what it is about.');

const NO_PLANNER = () =>
  new BlackError(
    'no_planner',
    'The built-in offline provider is no language model and makes no plans.',
    'Add a model (black auth set PROVIDER), or ask without a plan.',
  );
