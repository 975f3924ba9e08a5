import { askEngine } from './ask-engine.ts';
import type { Check, DoctorFacts } from './check.ts';

/** Which language servers the files here have, and which half of the others is missing (INT-20). Nothing is started. */
export async function checkLanguages({ io, home, cwd }: DoctorFacts): Promise<Check[]> {
  const name = 'Language servers';
  if (!home || !cwd) return [];
  const answer = await askEngine(io, (engine) => engine.execute({ type: 'listLanguageServers' }));
  if (!answer.ok) {
    const { message, next = 'black lsp status' } = answer.error;
    return [{ name, state: 'warn', detail: message, fix: next }];
  }
  const { servers } = answer.value;
  const usable = servers.filter(({ lack }) => lack === undefined);
  const missing = servers.filter(({ lack }) => lack !== undefined);
  const told = usable.map(({ title, program, folder }) => `${title}${folder ? ` in ${folder}` : ''} (${program})`);
  const found: Check = { name, state: 'ok', detail: told.join(', ') || 'none; edits are made without diagnostics' };
  return [
    found,
    ...missing.map(({ title, folder, lack = '' }): Check => {
      const [what = '', how] = lack.split(/: (.*)/s);
      const where = folder ? ` in ${folder}` : '';
      return { name: title, state: 'warn', detail: `${what}${where}`, ...(how ? { fix: how } : {}) };
    }),
  ];
}
