import type { Field } from '../shell/facts.ts';
import { withoutMarkers } from '../shell/markers.ts';

/** Words that lines with secrets are made of, run together: a pattern that occurs in here may be after one. */
const VOCABULARY =
  'api_key apikey access_key secret_key private_key signing_key ssh_key key= secret token auth_token bearer password passwd pwd passphrase credential authorization database_url postgres:// mysql:// redis:// https:// http:// begin openssh rsa private key----- export aws_ github_ openai_ anthropic_ stripe_ sk-ant-api03- ghp_';
const NAMES_ONLY = /^(--(files-with(out)?-match(es)?|count|quiet|silent|files)|-[A-Za-z]*[lLcq][A-Za-z]*)$/;
const TAKES_VALUE =
  /^(-[A-Za-z]*[ABCmefgtTdDEjMr]|--(after-context|before-context|context|max-count|regexp|file|glob|iglob|type|max-depth|include|exclude|exclude-dir))$/;

interface Search {
  patterns: readonly string[];
  targets: readonly string[];
  inverted: boolean;
}

/**
 * Where a search through whole folders could print what files of secrets hold: `grep -r '' .` prints every `.env`
 * below. Undefined where it goes through no folders, prints no lines, leaves such files out, or looks for text
 * that lines of secrets do not have.
 */
export function secretSearch(program: string, words: readonly Field[]): Field | undefined {
  const values = words.map(({ value }) => withoutMarkers(value));
  if (!goesThroughFolders(program, values) || values.some((value) => NAMES_ONLY.test(value))) return undefined;
  if (leavesOut(program, values)) return undefined;
  const { patterns, targets, inverted } = read(program, values);
  const broad = targets.length === 0 || targets.some((target) => /^[./~*]*$/.test(target) || target.startsWith('/'));
  const everything = inverted || patterns.length === 0 || patterns.some((pattern) => !tells(pattern, 1));
  const fishing = everything || patterns.some((pattern) => !tells(pattern, 3));
  if (!everything && !(fishing && broad)) return undefined;
  return { value: targets[0] ?? '.', source: '', literal: true };
}

function goesThroughFolders(program: string, values: readonly string[]): boolean {
  if (program === 'rg') {
    const unrestricted = values.join(' ').match(/(?<= |^)(-[A-Za-z]*u[A-Za-z]*|--unrestricted)/g) ?? [];
    const levels =
      unrestricted.join('').split('u').length - 1 + unrestricted.filter((each) => each.startsWith('--')).length;
    return levels >= 2 || values.some((value) => /^--hid|^-[A-Za-z]*\./.test(value));
  }
  if (program === 'ag' || program === 'ack')
    return values.some((value) => /^(--hidden|-u|--unrestricted|-a)$/.test(value));
  return values.some((value) => /^-[A-Za-z]*[rR]|^--(rec|dereference-rec|directories=rec)/.test(value));
}

/** Only files of some names are looked at, or `.env` is passed over. */
function leavesOut(program: string, values: readonly string[]): boolean {
  const of = (option: RegExp): string[] =>
    values.flatMap((value, index) => {
      const [whole] = option.exec(value) ?? [];
      if (whole === undefined) return [];
      return value.length > whole.length ? [value.slice(whole.length).replace(/^=/, '')] : [values[index + 1] ?? ''];
    });
  const included = of(program === 'rg' ? /^(-g|--glob|--iglob)(?==|$|[^-])/ : /^--include(?==|$)/);
  const excluded = [
    ...of(/^--exclude(?==|$)/),
    ...included.filter((glob) => glob.startsWith('!')).map((glob) => glob.slice(1)),
  ];
  const positive = included.filter((glob) => !glob.startsWith('!'));
  const named = program === 'rg' && values.some((value) => /^(-t|--type)/.test(value));
  // A pattern with an ending of its own takes in no file of secrets.
  if (
    named ||
    (positive.length > 0 && positive.every((glob) => /\.[A-Za-z]{1,5}\}?$/.test(glob) && !/env|pem|key/i.test(glob)))
  ) {
    return true;
  }
  return excluded.some((glob) => /^\**\/?\.env(\*|\.\*)?$|^\.\*$/.test(glob));
}

function read(program: string, values: readonly string[]): Search {
  const patterns: string[] = [];
  const operands: string[] = [];
  let inverted = false;
  let given = false;
  for (let at = 0; at < values.length; at += 1) {
    const value = values[at] as string;
    if (value === '--') {
      operands.push(...values.slice(at + 1));
      break;
    }
    if (!/^-./.test(value)) {
      operands.push(value);
      continue;
    }
    if (/^(-[A-Za-z]*v[A-Za-z]*|--invert-match)$/.test(value)) inverted = true;
    const attached = /^(?:--regexp=|-e)([\s\S]+)$/.exec(value)?.[1];
    if (attached !== undefined) patterns.push(attached);
    if (attached !== undefined || /^(-[A-Za-z]*[ef]|--regexp|--file)/.test(value)) given = true;
    const takes =
      program === 'rg'
        ? /^-[A-Za-z]*r$/.test(value) || TAKES_VALUE.test(value)
        : !/^-[A-Za-z]*r$/.test(value) && TAKES_VALUE.test(value);
    if (!takes) continue;
    at += 1;
    if (/^(-[A-Za-z]*e|--regexp)$/.test(value)) patterns.push(values[at] ?? '');
  }
  return given
    ? { patterns, targets: operands, inverted }
    : { patterns: operands.slice(0, 1), targets: operands.slice(1), inverted };
}

/**
 * Whether every alternative of a pattern asks for at least so many characters of literal text: three that lines of
 * secrets do not have, or any at all.
 */
function tells(pattern: string, length: 1 | 3): boolean {
  return pattern.split(/\\?\|/).every((alternative) => {
    const runs = alternative.match(/[A-Za-z0-9_ -]{1,200}(?![*?{])/g) ?? [];
    const long = runs.filter((run) => /[A-Za-z0-9]/.test(run) && run.length >= length);
    return length === 1 ? long.length > 0 : long.some((run) => !VOCABULARY.includes(run.toLowerCase()));
  });
}
