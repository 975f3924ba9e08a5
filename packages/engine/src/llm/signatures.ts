import type { SharedV4ProviderMetadata, SharedV4ProviderOptions } from '@ai-sdk/provider';
import { type AssistantMessage, isRecord, type ThinkingContent } from '@black-ide/protocol';
import type { ResolvedModel } from './model.ts';

/**
 * Opaque values that a provider wants back with its own thinking, texts and calls. In the log they are one string a
 * block, in the pi family's forms; on the way to a provider they are options of the AI SDK.
 */

type Block = AssistantMessage['content'][number];
type Kind = ResolvedModel['kind'];

/** Writes what came with a block into it. */
export function sign(block: Block, kind: Kind, metadata: SharedV4ProviderMetadata | undefined): void {
  if (!metadata) return;
  switch (kind) {
    case 'anthropic': {
      if (block.type !== 'thinking') return;
      const { signature, redactedData } = metadata.anthropic ?? {};
      if (typeof signature === 'string') block.thinkingSignature = signature;
      if (typeof redactedData === 'string') {
        block.thinkingSignature = redactedData;
        block.redacted = true;
      }
      return;
    }
    case 'google':
      put(block, metadata.google?.thoughtSignature);
      return;
    case 'openrouter': {
      const details = metadata.openrouter?.reasoning_details;
      if (Array.isArray(details) && details.length > 0) put(block, JSON.stringify(details));
      return;
    }
    case 'openai-responses': {
      const { itemId, reasoningEncryptedContent } = metadata.openai ?? {};
      if (block.type !== 'thinking' || typeof itemId !== 'string') return;
      if (typeof reasoningEncryptedContent !== 'string') return;
      const item = { type: 'reasoning', id: itemId, encrypted_content: reasoningEncryptedContent, summary: [] };
      block.thinkingSignature = JSON.stringify(item);
    }
  }
}

/** What goes back with a block; undefined where it has nothing that this kind of provider could read. */
export function signatureOptions(block: Block, kind: Kind): SharedV4ProviderOptions | undefined {
  const signature = signatureOf(block);
  if (!signature) return undefined;
  switch (kind) {
    case 'anthropic':
      if (block.type !== 'thinking') return undefined;
      return { anthropic: block.redacted ? { redactedData: signature } : { signature } };
    case 'google':
      return { google: { thoughtSignature: signature } };
    case 'openrouter': {
      const details = parsed(signature);
      return Array.isArray(details) ? { openrouter: { reasoning_details: details } } : undefined;
    }
    case 'openai-responses': {
      const item = parsed(signature);
      if (block.type !== 'thinking' || !isRecord(item) || typeof item.id !== 'string') return undefined;
      if (typeof item.encrypted_content !== 'string') return undefined;
      return { openai: { itemId: item.id, reasoningEncryptedContent: item.encrypted_content } };
    }
    default:
      return undefined;
  }
}

/** OpenRouter sends the same details with its thinking and with the first call; one copy in the log is enough. */
export function signOnce(content: readonly Block[]): void {
  if (!content.some((block) => block.type === 'thinking' && block.thinkingSignature)) return;
  for (const block of content) if (block.type === 'toolCall') delete block.thoughtSignature;
}

/** The provider's own name of an item, where one may come in several blocks. */
export function itemOf(kind: Kind, metadata: SharedV4ProviderMetadata | undefined): string | undefined {
  const item = kind === 'openai-responses' ? metadata?.openai?.itemId : undefined;
  return typeof item === 'string' ? item : undefined;
}

/** What the provider says that a turn has cost, in US dollars. */
export function billedBy(metadata: SharedV4ProviderMetadata | undefined): unknown {
  const usage = metadata?.openrouter?.usage;
  return isRecord(usage) ? usage.cost : undefined;
}

/** The thinking as text, for what signs none. */
export function thinkingText({ redacted, thinking }: ThinkingContent): string {
  return redacted ? '' : thinking;
}

function put(block: Block, signature: unknown): void {
  if (typeof signature !== 'string' || signature === '') return;
  if (block.type === 'thinking') block.thinkingSignature = signature;
  else if (block.type === 'toolCall') block.thoughtSignature = signature;
  else block.textSignature = signature;
}

function signatureOf(block: Block): string | undefined {
  if (block.type === 'thinking') return block.thinkingSignature;
  return block.type === 'toolCall' ? block.thoughtSignature : block.textSignature;
}

/** A signature of another program may be no JSON: then it is none of ours. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
