import type { Field } from './facts.ts';
import { SOME } from './markers.ts';
import type { Unwrapped } from './unwrapped.ts';

const VALUE_OPTION = /^--(rcfile|init-file|command)$/;

/** What `sh`, `bash`, … run, from the words after their name (POSIX `sh`, bash manual "Invoking Bash"). */
export function shellRun(words: readonly Field[]): Unwrapped {
  let fromText = false;
  let fromInput = false;
  let plain = true;
  let at = 0;
  for (; at < words.length; at += 1) {
    const value = words[at]?.value ?? '';
    if (value === '--' || value === '-') {
      at += 1;
      break;
    }
    const long = /^--command=([\s\S]*)$/.exec(value);
    if (long) return { kind: 'opaque', script: long[1] ?? '' };
    if (/^--/.test(value)) {
      plain = false;
      if (value === '--command') fromText = true;
      else if (VALUE_OPTION.test(value)) at += 1;
    } else if (/^[-+]/.test(value)) {
      if (value.includes('c')) fromText = true;
      if (value.includes('s')) fromInput = true;
      if (!/^-[ceux]+$/.test(value)) plain = false;
      if (/[oO]$/.test(value)) at += 1;
    } else {
      break;
    }
  }
  const rest = words.slice(at);
  const values = rest.map(({ value }) => value);
  if (fromText) {
    return { kind: plain ? 'transparent' : 'opaque', script: values[0] ?? SOME, positional: values.slice(1) };
  }
  const file = fromInput ? undefined : values[0];
  if (file === undefined || /^\/dev\/(stdin|fd\/0)$|^\/proc\/self\/fd\/0$/.test(file)) {
    return { kind: 'opaque', scriptOnInput: true, positional: values };
  }
  return { kind: 'opaque', scriptFile: file, positional: values };
}
