import { findRipgrep, probeProgram } from '@black-ide/workspace';
import type { Check, DoctorFacts } from './check.ts';

/** Whether the ripgrep that came with us is there and runs. */
export async function checkSearch({ io }: DoctorFacts): Promise<Check> {
  const broken = { name: 'ripgrep', state: 'fail' as const, fix: 'npm ci --include=optional' };
  const found = await findRipgrep();
  if ('problem' in found) return { ...broken, detail: `${found.problem} Search does not work.` };
  const probe = await probeProgram(found.path, ['--version'], { env: io.world.env });
  if (!probe.ok) return { ...broken, detail: `${found.path} does not work (${probe.problem}); search does not work` };
  return { name: 'ripgrep', state: 'ok', detail: `${probe.line} (${found.path})` };
}
