import { matchesGlob } from './glob-match.ts';
import { ANY, isUnknown, SOME } from './markers.ts';

/** Longer values are not worked on. */
const MAX_LENGTH = 500;

/** The parts of `${…}`, without what stands in its operand. */
export interface ParameterForm {
  /** `${#x}`: the length. */
  length: boolean;
  /** `${!x}`: the value names the variable meant. */
  indirect: boolean;
  name: string;
  /** The text in the brackets of `${x[…]}`. */
  index: string | undefined;
  /** What follows the name: `:-`, `%%`, `/`, `@`, … or nothing. */
  operator: string;
  /** Where the operand begins, counted from the `$`. */
  operandAt: number;
}

const FORM =
  /^\$\{(#(?=[^}]))?(!)?([A-Za-z_][A-Za-z0-9_]*|[0-9]+|[@*#?$!-])(?:\[([^\]]*)\])?(:?[-=?+]|##?|%%?|\/\/|\/[#%]?|\^\^?|,,?|@|:)?/;

/** Takes `${…}` apart; undefined for a form that is not known. */
export function parameterForm(text: string): ParameterForm | undefined {
  const match = FORM.exec(text);
  if (!match) return undefined;
  const [whole, length, indirect, name = '', index, operator = ''] = match;
  if (operator === '' && text.slice(whole.length) !== '}') return undefined;
  return { length: !!length, indirect: !!indirect, name, index, operator, operandAt: whole.length };
}

/** `${x#p}`, `${x##p}`, `${x%p}`, `${x%%p}`: the value without the part the pattern (with markers) matches. */
export function trimByPattern(value: string, operator: string, pattern: string): string {
  if (isUnknown(value) || isUnknown(pattern) || value.length > MAX_LENGTH) return ANY;
  const front = operator.startsWith('#');
  const longest = operator.length === 2;
  for (let step = 0; step <= value.length; step += 1) {
    const length = longest ? value.length - step : step;
    const part = front ? value.slice(0, length) : value.slice(value.length - length);
    if (matchesGlob(pattern, part)) return front ? value.slice(length) : value.slice(0, value.length - length);
  }
  return value;
}

/** `${x/p/r}` and `${x//p/r}` for a pattern (with markers); `/#` and `/%` anchor it. */
export function replaceByPattern(value: string, operator: string, pattern: string, replacement: string): string {
  if (isUnknown(value) || isUnknown(pattern) || value.length > MAX_LENGTH) return ANY;
  if (pattern === '') return value;
  let result = '';
  let at = 0;
  let replaced = false;
  while (at <= value.length) {
    const length = replaced && operator !== '//' ? 0 : longestMatch(value, at, operator, pattern);
    if (length > 0) {
      result += replacement;
      at += length;
      replaced = true;
    } else {
      result += value.slice(at, at + 1);
      at += 1;
    }
  }
  return result;
}

function longestMatch(value: string, at: number, operator: string, pattern: string): number {
  if (operator === '/#' && at > 0) return 0;
  for (let end = value.length; end > at; end -= 1) {
    if (operator === '/%' && end < value.length) return 0;
    if (matchesGlob(pattern, value.slice(at, end))) return end - at;
  }
  return 0;
}

/** `${x:from:length}` with plain numbers; anything else is not known. */
export function substring(value: string, operand: string): string {
  const match = /^\s*(-?\d+)\s*(?::\s*(-?\d+)\s*)?$/.exec(operand);
  if (!match || isUnknown(value)) return ANY;
  const from = Number(match[1]);
  const start = from < 0 ? value.length + from : from;
  if (start < 0) return '';
  if (match[2] === undefined) return value.slice(start);
  const length = Number(match[2]);
  return value.slice(start, length < 0 ? value.length + length : start + length);
}

/** `${x^}`, `${x^^}`, `${x,}`, `${x,,}`. */
export function changeCase(value: string, operator: string): string {
  const change = (text: string) => (operator.startsWith('^') ? text.toUpperCase() : text.toLowerCase());
  return operator.length === 2 ? change(value) : change(value.slice(0, 1)) + value.slice(1);
}

/** `${x:?…}` and what else cannot be empty: empty values are gone, unknown ones are not empty. */
export function neverEmpty(values: readonly string[]): string[] {
  return values.filter((value) => value !== '').map((value) => value.replaceAll(ANY, SOME));
}

/** `${x:-…}`: the values, and the default where one of them may be empty. */
export function withDefault(values: readonly string[], defaults: readonly string[]): string[] {
  const mayBeEmpty = values.some((value) => value.replaceAll(ANY, '') === '');
  return [...neverEmpty(values), ...(mayBeEmpty ? defaults : [])];
}
