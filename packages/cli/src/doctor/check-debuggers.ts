import { findAdapters } from '@black-ide/intel';
import type { Check, DoctorFacts } from './check.ts';

/** Which debuggers there are, and how to get the others. */
export function checkDebuggers({ io, cwd }: DoctorFacts): Check {
  const { env } = io.world;
  const { usable, missing } = findAdapters({ root: cwd ?? '/', env, trusted: false });
  const served = new Set(usable.map(({ spec }) => spec.languages));
  const here = usable.map(({ spec, program }) => `${spec.languages} (${spec.title}: ${program})`);
  // Of those that debug the same the first one is told.
  const wanted = missing.filter(({ languages }) => !served.has(languages) && served.add(languages));
  const lacking = wanted.map(({ languages, title, get }) => `${languages}: ${title} (${get})`);
  const detail = here.length > 0 ? here.join('; ') : 'none';
  if (lacking.length === 0) return { name: 'Debuggers', state: 'ok', detail };
  const [first] = wanted;
  return { name: 'Debuggers', state: 'warn', detail: `${detail}; without one: ${lacking.join('; ')}`, fix: first!.get };
}
