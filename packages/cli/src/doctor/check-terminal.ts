import { canPaint } from '../text/painter.ts';
import type { Check, DoctorFacts } from './check.ts';

/** What the terminal can do. */
export function checkTerminal({ io }: DoctorFacts): Check {
  const { env, stdout, stderr, stdin } = io.world;
  const name = 'Terminal';
  const terminal = [stdout, stderr].find(({ isTTY }) => isTTY);
  if (!terminal && !stdin.isTTY) return { name, state: 'ok', detail: 'none; black -p needs none' };
  const colours = canPaint(env, true) ? (env.NO_COLOR ? 'no colours (NO_COLOR)' : 'colours') : 'no colours';
  const kind = env.TERM || 'TERM is not set';
  const width = terminal?.columns ? `${terminal.columns} columns` : 'unknown width';
  return { name, state: 'ok', detail: `${kind}, ${width}, ${colours}` };
}
