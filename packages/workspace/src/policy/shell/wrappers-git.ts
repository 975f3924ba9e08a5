import type { Field } from './facts.ts';
import type { Unwrapped } from './unwrapped.ts';

/** What git is told to run: aliases and helpers set with `-c`, `--exec`, `bisect run`, `submodule foreach`, … */
export function gitRuns(words: readonly Field[]): Unwrapped[] {
  const runs: Unwrapped[] = [];
  const script = (text: string | undefined): void => {
    if (text?.trim()) runs.push({ kind: 'opaque', script: text });
  };
  const sub = words.findIndex(
    ({ value }, index) => !value.startsWith('-') && !/^-[cC]$/.test(words[index - 1]?.value ?? ''),
  );
  words.forEach(({ value }, index) => {
    const next = words[index + 1]?.value;
    if ((value === '-c' || value === '--config-env') && (sub < 0 || index < sub))
      script(next?.replace(/^[^=]*=!?/, ''));
    else if (/^--(exec|extcmd|tree-filter|index-filter|msg-filter|env-filter|upload-pack|receive-pack)$/.test(value))
      script(next);
    else if (
      /^--(exec|extcmd|(tree|index|msg|env|parent|commit|tag-name)-filter|upload-pack|receive-pack|open-files-in-pager)=/.test(
        value,
      )
    )
      script(value.slice(value.indexOf('=') + 1));
    else if (value === '-x' && words[sub]?.value === 'rebase') script(next);
    else if (value.startsWith('!')) script(value.slice(1));
    else if ((value === 'run' && words[index - 1]?.value === 'bisect') || value === 'foreach') {
      const rest = words.slice(index + 1).filter((word) => !/^--(recursive|quiet)$/.test(word.value));
      if (rest.length === 1) script(rest[0]?.value);
      else if (rest.length > 1) runs.push({ kind: 'opaque', words: rest });
    }
  });
  return runs;
}
