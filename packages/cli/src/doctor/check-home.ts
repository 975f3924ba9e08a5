import { probeFolder } from '@black-ide/workspace';
import type { Check, DoctorFacts } from './check.ts';

/** Whether sessions can be kept. */
export function checkHome({ home }: DoctorFacts): Check {
  const name = 'State folder';
  const fix = 'export BLACKIDE_HOME=/a/folder/that/can/be/written';
  if (!home) return { name, state: 'fail', detail: 'there is no home folder; sessions are not saved', fix };
  const probe = probeFolder(home);
  if (!probe.writable) {
    return { name, state: 'fail', detail: `${home} cannot be written (${probe.problem}); sessions are not saved`, fix };
  }
  return { name, state: 'ok', detail: probe.exists ? home : `${home} (made when it is first needed)` };
}
