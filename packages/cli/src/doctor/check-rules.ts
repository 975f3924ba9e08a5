import { askEngine } from './ask-engine.ts';
import type { Check, DoctorFacts } from './check.ts';

/** Which files of standing rules a session that begins here would be told. */
export async function checkRules({ io, home, cwd }: DoctorFacts): Promise<Check> {
  const name = 'Standing rules';
  if (!home || !cwd) return { name, state: 'ok', detail: 'none' };
  const answer = await askEngine(io, (engine) => engine.execute({ type: 'listRules' }));
  if (!answer.ok) {
    const { message, next = 'ls -la AGENTS.md .blackide' } = answer.error;
    return { name, state: 'warn', detail: message, fix: next };
  }
  const { files } = answer.value;
  const notes = files.flatMap(({ path, notes: each }) => each.map((note) => `${path}: ${note}`));
  const told = files.map(({ path, bytes }) => `${path} (${size(bytes)})`).join(', ');
  if (notes.length === 0)
    return { name, state: 'ok', detail: told || 'none; AGENTS.md would be read, where it is trusted' };
  return {
    name,
    state: 'warn',
    detail: `${told}; ${notes.join('; ')}`,
    fix: `grep -n '@' ${files.find((file) => file.notes.length > 0)!.path}`,
  };
}

function size(bytes: number): string {
  return bytes < 1024 ? `${bytes} bytes` : `${(bytes / 1024).toFixed(1)} KB`;
}
