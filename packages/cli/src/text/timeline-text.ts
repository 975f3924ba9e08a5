import { calledArguments, SETTLED, textOf, type ViewItem } from '@black-ide/protocol';
import { tokenCount } from './amounts.ts';
import { settledText } from './change-text.ts';
import { drawFact, drawNotes } from './draw-fact.ts';
import { factLine } from './fact-line.ts';
import { fitWidth } from './fit-width.ts';
import type { Painter } from './painter.ts';
import { answerText, requestLine } from './request-text.ts';
import { visibleLine, visibleText } from './visible-text.ts';

const GUTTER = 7;

/** A session's timeline in plain words, line by line: who said what whole, everything else a line each. */
export function timelineText(items: readonly ViewItem[], columns: number, paint: Painter): string[] {
  const args = new Map<string, Record<string, unknown>>();
  const lines: string[] = [];
  /** What was said since the person's last message: the end of the task need not say it again. */
  const answers = new Set<string>();
  const fact = (text: string): void => {
    lines.push(' '.repeat(GUTTER) + paint.dim(fitWidth(visibleLine(text), columns - GUTTER)));
  };
  for (const item of items) {
    switch (item.kind) {
      case 'user':
        answers.clear();
        lines.push(...said('you', textOf(item.content), paint));
        break;
      case 'assistant': {
        for (const [id, given] of calledArguments(item.content)) args.set(id, given);
        const text = textOf(item.content);
        if (text.trim() !== '') lines.push(...said('black', text, paint));
        answers.add(text.trim());
        if (item.errorMessage) fact(`✗ ${item.errorMessage}`);
        break;
      }
      case 'toolResult': {
        const { name, isError, content, callId, details } = item;
        const line = factLine({ name, isError, args: args.get(callId) ?? {}, text: textOf(content), details });
        const drawn = line ? [drawFact(line, columns - GUTTER, paint), ...drawNotes(line, paint)] : [];
        lines.push(...drawn.map((text) => ' '.repeat(GUTTER) + text));
        break;
      }
      case 'taskEnd': {
        const { outcome, message, next } = item.end;
        if (outcome !== 'completed') fact(`✗ ${[message, next].filter(Boolean).join(' ')}`);
        else if (!answers.has(message.trim())) lines.push(...said('black', message, paint));
        break;
      }
      default: {
        const text = inWords(item);
        if (text) fact(text);
      }
    }
  }
  return lines;
}

function said(who: string, text: string, paint: Painter): string[] {
  return visibleText(text.trimEnd())
    .split('\n')
    .map((line, index) => (index === 0 ? paint.bold(who.padEnd(GUTTER)) : ' '.repeat(GUTTER)) + line);
}

/** The items that take one line. Undefined: nothing a reader needs. */
export function inWords(item: ViewItem): string | undefined {
  switch (item.kind) {
    case 'command':
      return `$ ${item.command}${item.exitCode ? ` ✗ exit code ${item.exitCode}` : ''}`;
    case 'notice':
      if (item.customType === 'rules') return `· rules: ${ruleFiles(item.details)}`;
      if (item.customType === SETTLED) return settledText(item.details) ?? `· ${textOf(item.content)}`;
      return item.display ? `· ${textOf(item.content)}` : undefined;
    case 'model':
      return `· model ${item.provider}/${item.modelId}`;
    case 'mode':
      return `· mode ${item.mode}`;
    case 'compaction':
      return `· summed up what came before (${tokenCount(item.tokensBefore)} tokens)`;
    case 'branchSummary':
      return `· left a branch: ${item.summary}`;
    case 'request':
      return `? ${requestLine(item.request)}`;
    case 'response':
      return `→ ${answerText(item.response)}, by ${item.response.by}`;
    default:
      return undefined;
  }
}

/** The files that rules came from, as the log tells them. */
function ruleFiles(details: unknown): string {
  const { files } = (details ?? {}) as { files?: unknown };
  const paths = Array.isArray(files) ? files.map((file) => (file as { path?: unknown } | null)?.path) : [];
  return paths.filter((path) => typeof path === 'string').join(', ');
}
