import { Sandbox } from '@black-ide/workspace';
import type { Check, DoctorFacts } from './check.ts';

/** Whether commands run in a sandbox: tried out, as the first command of a session does. */
export async function checkSandbox({ io, cwd, home }: DoctorFacts): Promise<Check> {
  const { env, platform } = io.world;
  const sandbox = new Sandbox({ root: cwd ?? '/', stateHome: home ?? '/', env, platform });
  try {
    const status = await sandbox.status();
    if (status.active) return { name: 'sandbox', state: 'ok', detail: `commands run in bubblewrap (${status.bwrap})` };
    const detail = `${status.why}; commands run without a sandbox, and ask first`;
    return { name: 'sandbox', state: 'warn', detail, ...(status.fix ? { fix: status.fix } : {}) };
  } finally {
    sandbox.dispose();
  }
}
