import { CommandPolicy } from '@black-ide/workspace';
import type { Check } from './check.ts';

/** Two commands that the policy must be able to tell apart before any can be run. */
const HARMLESS = 'ls -la';
const HARMFUL = 'rm -rf /';

/** Whether the shell grammar that judges commands loads and works: without it every command would have to be asked for. */
export async function checkCommandPolicy(): Promise<Check> {
  const name = 'Shell grammar';
  const broken = { name, state: 'fail' as const, fix: 'npm ci --include=optional' };
  try {
    const policy = await CommandPolicy.create();
    try {
      const context = { cwd: '/', home: '/', env: {} };
      const [harmless, harmful] = [await policy.decide(HARMLESS, context), await policy.decide(HARMFUL, context)];
      if (harmless.stage === 'ask' || harmful.stage !== 'hard-deny') {
        return { ...broken, detail: 'commands are not judged as they should be' };
      }
      return { name, state: 'ok', detail: 'commands are parsed before they run' };
    } finally {
      policy.dispose();
    }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { ...broken, detail: `it does not load (${reason}); no command can be judged` };
  }
}
