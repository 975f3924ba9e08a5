import { fitWidth, widthOf } from '../text/fit-width.ts';
import { visibleLine } from '../text/visible-text.ts';

export interface StatusFacts {
  mode: string;
  /** `provider/model`. */
  model: string;
  /** Of the model's window, 0 to 1; absent before the first answer. */
  context?: number | undefined;
  /** US dollars. */
  cost: number;
  /** Tokens were used, so a cost of nothing means that no price is known. */
  used: boolean;
  /** How many commands run beside the conversation. */
  background?: number;
  branch?: string | undefined;
}

/** Mode, model, context, cost and branch on one line; where it is narrow, names are shortened first, then left out. */
export function statusLine(facts: StatusFacts, columns: number): string {
  const model = visibleLine(facts.model);
  const branch = visibleLine(facts.branch ?? '');
  const short = model.slice(model.indexOf('/') + 1).replace(/^claude-/, '');
  const fixed = [
    facts.context === undefined ? '' : `${Math.round(100 * Math.max(facts.context, 0))} %`,
    facts.used && facts.cost === 0 && !model.startsWith('offline/') ? '$?' : money(facts.cost),
  ];
  const { background = 0 } = facts;
  const beside = background > 0 ? `${background} in background` : '';
  const mode = visibleLine(facts.mode);
  const join = (...parts: string[]): string => parts.filter((part) => part !== '').join(' · ');
  const whole = join(mode, model, ...fixed, beside, branch);
  if (widthOf(whole) <= columns) return whole;
  for (const name of [short, fitWidth(short, 12)]) {
    const line = join(mode, name, ...fixed, background > 0 ? `${background} bg` : '');
    const room = columns - widthOf(line) - 3;
    if (branch !== '' && room >= 4) return `${line} · ${fitWidth(branch, room)}`;
    if (room >= -3) return line;
  }
  const least = join(fitWidth(short, 12), ...fixed);
  return fitWidth(least, columns);
}

function money(dollars: number): string {
  return `$${dollars > 0 && dollars < 0.01 ? dollars.toFixed(4) : dollars.toFixed(2)}`;
}
