import type { ServerEnd } from '@black-ide/workspace';

/** How a server has ended, and the line of its output that most likely tells why: `ended with code 1: error: …`. */
export function endedWords(end: ServerEnd, errors: string, noise: string): string {
  const words = lastWords(errors) || lastWords(noise);
  const how = howItEnded(end);
  return words ? `${how}: ${words}` : how;
}

function howItEnded({ exitCode, signal, ended }: ServerEnd): string {
  if (ended === 'memory') return 'was ended: it took too much memory';
  if (ended === 'stuck') return 'was ended: it did not read what it was sent';
  if (ended === 'asked') return 'was ended';
  return signal ? `was killed by ${signal}` : `ended with code ${exitCode}`;
}

/** The last line with a word like error, else the last. */
function lastWords(text: string): string {
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);
  const line = lines.findLast((each) => /error|fatal|panic|cannot|not found/i.test(each)) ?? lines.at(-1) ?? '';
  return line.slice(0, 300);
}
