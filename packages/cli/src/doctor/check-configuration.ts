import { problemText } from '@black-ide/protocol';
import { askEngine } from './ask-engine.ts';
import type { Check, DoctorFacts } from './check.ts';

/** Whether settings and modes can be read (IDE-87). */
export async function checkConfiguration({ io, home, cwd }: DoctorFacts): Promise<Check> {
  const name = 'Configuration';
  if (!home || !cwd) return { name, state: 'ok', detail: 'none' };
  const answer = await askEngine(io, (engine) => engine.execute({ type: 'listConfigProblems' }));
  if (!answer.ok) return { name, state: 'warn', detail: answer.error.message, fix: `ls -la ${home}` };
  const { problems, closed } = answer.value;
  const first = problems[0];
  if (!first) return { name, state: 'ok', detail: 'settings and modes are in order' };
  const detail = problems.map(problemText).join(' ');
  const file = first.file.replace(/^~\/\.blackide/, home);
  return {
    name,
    state: closed ? 'fail' : 'warn',
    detail: closed ? `${detail} Nothing runs without asking until that is mended.` : detail,
    fix: first.line > 0 ? `"\${EDITOR:-vi}" +${first.line} '${file}'` : `ls -la '${file}'`,
  };
}
