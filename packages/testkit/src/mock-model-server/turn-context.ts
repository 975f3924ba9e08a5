import { createHash } from 'node:crypto';
import type { ModelRequest } from './model-request.ts';
import { type Draw, seededDraw } from './random.ts';
import { argumentText, blocksOf, type ScriptModel, type ScriptUsage, type Turn } from './script.ts';

/** What a wire needs beside the turn to write a reply. */
export interface TurnContext {
  /** 24 hexadecimal digits from the request's bytes: the same request gets the same ids, so that a retry is stable. */
  id: string;
  model: string;
  /** Unix time in whole seconds. */
  createdAt: number;
  usage: Required<ScriptUsage>;
  request: ModelRequest;
  /** What the script says of the model, if anything. */
  scripted: ScriptModel | undefined;
  draw: Draw;
}

const BYTES_PER_TOKEN = 4;

export function estimateTokens(bytes: number): number {
  return Math.ceil(bytes / BYTES_PER_TOKEN);
}

function outputBytes(turn: Turn): number {
  return blocksOf(turn).reduce((sum, block) => {
    if (block.type === 'text') return sum + Buffer.byteLength(block.text);
    if (block.type === 'thinking') return sum + Buffer.byteLength(block.thinking);
    return block.type === 'toolCall' ? sum + Buffer.byteLength(block.name + argumentText(block)) : sum;
  }, 0);
}

/** Tokens the script does not give are estimated at four bytes each; cache figures are 0 unless scripted. */
export function createTurnContext(
  turn: Turn,
  request: ModelRequest,
  rawBody: Buffer,
  now: number,
  models: readonly ScriptModel[],
): TurnContext {
  return {
    id: createHash('sha256').update(rawBody).digest('hex').slice(0, 24),
    model: request.model,
    createdAt: Math.floor(now / 1000),
    usage: {
      input: turn.usage?.input ?? estimateTokens(rawBody.length),
      output: turn.usage?.output ?? estimateTokens(outputBytes(turn)),
      cacheRead: turn.usage?.cacheRead ?? 0,
      cacheWrite: turn.usage?.cacheWrite ?? 0,
      reasoning: turn.usage?.reasoning ?? 0,
    },
    request,
    scripted: models.find((model) => model.id === request.model),
    draw: seededDraw(turn.seed ?? 1),
  };
}
