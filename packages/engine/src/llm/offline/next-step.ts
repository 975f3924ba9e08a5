import type { LanguageModelV4Prompt } from '@ai-sdk/provider';
import { type Exchange, type PastCall, readConversation } from './conversation.ts';
import { parseRequest } from './grammar/parse-request.ts';
import type { Request } from './grammar/request.ts';
import type { Plan, ToolSet } from './plan.ts';
import { explain } from './plans/explain.ts';
import { find } from './plans/find.ts';
import { connect, follow, unused } from './plans/graph-plans.ts';
import { listPlace } from './plans/list-place.ts';
import { readFile } from './plans/read-file.ts';
import { replaceText } from './plans/replace-text.ts';
import { runTests } from './plans/run-tests.ts';
import { talk } from './plans/talk.ts';
import { uses } from './plans/uses.ts';
import { code } from './render.ts';
import { replay, type Step } from './replay.ts';

/** Turns with tool calls that one request may take. */
const CEILINGS: Partial<Record<Request['kind'], number>> = { replace: 40, test: 10 };
const CEILING = 8;
const MAX_QUEUED = 3;
const LOOKING: ReadonlySet<Request['kind']> = new Set([
  ...(['find', 'explain', 'uses', 'impact', 'callees', 'tested', 'way', 'unused', 'read', 'list'] as const),
]);

const FINISHED =
  'Nothing is left to do: the last request was finished. Ask for something else, or `help` for what I can do.';
const NOTHING_YET = 'There is nothing to go on with yet. Ask `help` for what I can do.';

/** Decides what to do next from the prompt alone. */
export function nextStep(prompt: LanguageModelV4Prompt, tools: ToolSet): Step {
  const exchanges = readConversation(prompt);
  const last = exchanges.at(-1);
  if (!last) return { answer: NOTHING_YET };
  const request = parseRequest(last.said);
  if (request.kind !== 'continue') return decide(request, unanswered(exchanges), [last], tools);

  const before = exchanges.findLastIndex((exchange) => parseRequest(exchange.said).kind !== 'continue');
  if (before < 0) return { answer: NOTHING_YET };
  const earlier = exchanges.slice(before);
  const step = decide(parseRequest(earlier[0]!.said), [], earlier, tools);
  const given = earlier.flatMap((exchange) => exchange.answers).map((text) => text.trim());
  return 'answer' in step && given.includes(step.answer.trim()) ? { answer: FINISHED } : step;
}

/** Messages that came just before the last one, with no answer between: they were queued together. */
function unanswered(exchanges: readonly Exchange[]): Exchange[] {
  const answered = exchanges.slice(0, -1).findLastIndex((each) => each.turns > 0 || each.answers.length > 0);
  return exchanges.slice(answered + 1, -1).slice(-MAX_QUEUED);
}

function decide(request: Request, queued: readonly Exchange[], exchanges: readonly Exchange[], tools: ToolSet): Step {
  const past: PastCall[] = exchanges.flatMap((exchange) => exchange.calls);
  const step = replay(planAll(request, queued, tools), past);
  if ('answer' in step) return step;
  const turns = exchanges.at(-1)!.turns;
  const ceiling = (CEILINGS[request.kind] ?? CEILING) + queued.length * CEILING;
  if (turns >= ceiling) {
    return {
      answer: `Stopped after ${turns} rounds of tool calls without coming to an end. \`go on\` takes it further.`,
    };
  }
  const missing = step.calls.find((call) => !tools.has(call.name));
  if (missing) return { answer: `I would call \`${missing.name}\` next, but this mode does not have that tool.` };
  return step;
}

/**
 * Queued questions are answered too. A queued request with effects is only named: it may as well be one that the person
 * stopped before it began.
 */
function* planAll(request: Request, queued: readonly Exchange[], tools: ToolSet): Plan {
  const answers: string[] = [];
  for (const { said } of queued) {
    const earlier = parseRequest(said);
    if (earlier.kind === 'replace' || earlier.kind === 'test')
      answers.push(`Not done, ask again if it still counts: ${code(said.trim())}`);
    else if (LOOKING.has(earlier.kind)) answers.push(yield* planFor(earlier, tools));
  }
  answers.push(yield* planFor(request, tools));
  return answers.join('\n\n---\n\n');
}

function planFor(request: Request, tools: ToolSet): Plan {
  switch (request.kind) {
    case 'find':
      return find(request.subject, tools, { how: request.how ?? false, all: request.all ?? false });
    case 'explain':
      return explain(request.target, tools);
    case 'uses':
      return uses(request, tools);
    case 'impact':
    case 'callees':
    case 'tested':
      return follow(request, tools);
    case 'way':
      return connect(request, tools);
    case 'unused':
      return unused(request, tools);
    case 'replace':
      return replaceText(request, tools);
    case 'test':
      return runTests(request, tools);
    case 'read':
      return readFile(request.path, request.lines, tools);
    case 'list':
      return listPlace(request.path, request.tree ?? false, tools);
    default:
      return talk(request);
  }
}
