import type { Check, DoctorFacts } from './check.ts';

/** Whether there is a folder to work in. */
export function checkFolder({ cwd }: DoctorFacts): Check {
  const name = 'Working folder';
  if (cwd) return { name, state: 'ok', detail: cwd };
  return { name, state: 'fail', detail: 'it no longer exists', fix: 'cd to a folder that exists' };
}
