import { probeSandbox } from '@black-ide/workspace';
import { askEngine } from './ask-engine.ts';
import type { Check, DoctorFacts } from './check.ts';

/** Whether commands run in a sandbox: tried out, as the first command of a session does. */
export async function checkSandbox({ io, cwd, home }: DoctorFacts): Promise<Check> {
  const { env, platform } = io.world;
  const settings =
    home && cwd ? await askEngine(io, (engine) => engine.execute({ type: 'listConfigProblems' })) : undefined;
  if (settings?.ok && settings.value.sandbox === 'off') return without('the setting `sandbox` is `off`');
  const status = await probeSandbox({ env, platform, ...(cwd ? { workspace: cwd } : {}) });
  if (!status.active) return without(status.why, status.fix);
  return { name: 'sandbox', state: 'ok', detail: `commands run in bubblewrap (${status.bwrap})` };
}

function without(why: string, fix?: string): Check {
  const detail = `${why}; commands run without a sandbox, and ask first`;
  return { name: 'sandbox', state: 'warn', detail, ...(fix ? { fix } : {}) };
}
