import { canPaint } from '../text/painter.ts';
import type { World } from '../world.ts';
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
  const detail = `${kind}, ${width}, ${colours}`;
  if (speaksUtf8(env, io.world.platform)) return { name, state: 'ok', detail };
  return { name, state: 'warn', detail: `${detail}, no UTF-8 (signs may look odd)`, fix: 'export LC_ALL=C.UTF-8' };
}

/** What the locale says; macOS and Windows need none. */
function speaksUtf8({ LC_ALL, LC_CTYPE, LANG }: World['env'], platform: NodeJS.Platform): boolean {
  if (platform !== 'linux') return true;
  return /utf-?8/i.test(LC_ALL || LC_CTYPE || LANG || '');
}
