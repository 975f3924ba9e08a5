import { BlackError } from '@black-ide/protocol';
import { unwrap } from '../failure.ts';
import { openEngine } from '../headless/open-engine.ts';
import type { Check, DoctorFacts } from './check.ts';

/** Which files of standing rules a session that begins here would be told. */
export async function checkRules({ io, home, cwd }: DoctorFacts): Promise<Check> {
  const name = 'Standing rules';
  if (!home || !cwd) return { name, state: 'ok', detail: 'none' };
  try {
    const opened = await openEngine(io, { face: 'headless', asks: 'refuse', needsHome: true });
    try {
      const { files } = unwrap(await opened.engine.execute({ type: 'listRules' }));
      const notes = files.flatMap(({ path, notes: each }) => each.map((note) => `${path}: ${note}`));
      const told = files.map(({ path, bytes }) => `${path} (${size(bytes)})`).join(', ');
      if (notes.length === 0) return { name, state: 'ok', detail: told || 'none; AGENTS.md would be read' };
      return {
        name,
        state: 'warn',
        detail: `${told}; ${notes.join('; ')}`,
        fix: `grep -n '@' ${files.find((file) => file.notes.length > 0)!.path}`,
      };
    } finally {
      await opened.dispose();
    }
  } catch (error) {
    const { message, next } = BlackError.toValue(error);
    return { name, state: 'warn', detail: message, fix: next ?? 'ls -la AGENTS.md .blackide' };
  }
}

function size(bytes: number): string {
  return bytes < 1024 ? `${bytes} bytes` : `${(bytes / 1024).toFixed(1)} KB`;
}
