import { askEngine } from './ask-engine.ts';
import type { Check, DoctorFacts } from './check.ts';

/** Whether this folder is trusted, and what of it is ignored as long as it is not. */
export async function checkTrust({ io, home, cwd }: DoctorFacts): Promise<Check> {
  const name = 'Trust';
  const fix = 'black trust';
  if (!home || !cwd) return { name, state: 'warn', detail: 'nothing can be trusted for good', fix };
  const answer = await askEngine(io, (engine) => engine.execute({ type: 'describeTrust' }));
  if (!answer.ok) return { name, state: 'warn', detail: answer.error.message, fix };
  const { trusted, problem, ignored } = answer.value;
  if (problem) return { name, state: 'warn', detail: problem, fix: `mv ${home}/trust.json ${home}/trust.json.old` };
  if (trusted) return { name, state: 'ok', detail: 'this folder is trusted' };
  const ours = ignored.flatMap((each) => (each.ours ? [each.path] : []));
  const detail = ours.length > 0 ? `; ignored: ${ours.join(', ')}` : '';
  return { name, state: 'warn', detail: `this folder is not trusted, so it is only read${detail}`, fix };
}
