import { stateHome } from '@black-ide/workspace';
import type { Check, DoctorFacts } from '../doctor/check.ts';
import { checkCommandPolicy } from '../doctor/check-command-policy.ts';
import { checkConfiguration } from '../doctor/check-configuration.ts';
import { checkDebuggers } from '../doctor/check-debuggers.ts';
import { checkFolder } from '../doctor/check-folder.ts';
import { checkHome } from '../doctor/check-home.ts';
import { checkLanguages } from '../doctor/check-languages.ts';
import { checkNode } from '../doctor/check-node.ts';
import { checkPrograms } from '../doctor/check-programs.ts';
import { checkProviders } from '../doctor/check-providers.ts';
import { checkRules } from '../doctor/check-rules.ts';
import { checkSandbox } from '../doctor/check-sandbox.ts';
import { checkSearch } from '../doctor/check-search.ts';
import { checkSessions } from '../doctor/check-sessions.ts';
import { checkTerminal } from '../doctor/check-terminal.ts';
import { checkTrust } from '../doctor/check-trust.ts';
import { EXIT } from '../failure.ts';
import type { Io } from '../io.ts';
import { painter } from '../text/painter.ts';
import { visibleLine } from '../text/visible-text.ts';
import { VERSION } from '../version.ts';

/** `black doctor`: what works on this machine, what does not, and the command that mends it (IDE-84). */
export async function doctor({ json }: { json: boolean }, io: Io): Promise<number> {
  const facts = factsOf(io);
  const checks = [
    checkNode(facts),
    checkFolder(facts),
    checkHome(facts),
    await checkSessions(facts),
    await checkTrust(facts),
    await checkConfiguration(facts),
    await checkRules(facts),
    await checkSearch(facts),
    await checkCommandPolicy(),
    ...(await checkPrograms(facts)),
    await checkSandbox(facts),
    ...(await checkLanguages(facts)),
    await checkDebuggers(facts),
    ...checkProviders(facts),
    checkTerminal(facts),
  ];
  const ok = checks.every(({ state }) => state !== 'fail');
  if (json) io.out.line(JSON.stringify({ ok, version: VERSION, checks }, undefined, 2));
  else print(checks, ok, io);
  return ok ? EXIT.done : EXIT.failed;
}

function print(checks: readonly Check[], ok: boolean, io: Io): void {
  const paint = painter(io.world.env, io.out.isTerminal);
  const marks = { ok: paint.good('✓'), warn: paint.accent('!'), fail: paint.bad('✗') };
  io.out.line(`Black IDE ${VERSION}`);
  for (const { name, state, detail, fix } of checks) {
    io.out.line(`${marks[state]} ${paint.bold(name)}: ${visibleLine(detail)}`);
    if (fix && state !== 'ok') io.out.line(`    ${visibleLine(fix)}`);
  }
  io.out.line(ok ? 'The basics work.' : 'Something basic does not work; the lines below a ✗ mend it.');
}

function factsOf(io: Io): DoctorFacts {
  const { world } = io;
  const cwd = workingFolder(io);
  return { io, cwd, home: stateHome({ env: world.env, cwd: cwd ?? '/', platform: world.platform }) };
}

function workingFolder({ world }: Io): string | undefined {
  try {
    return world.cwd();
  } catch {
    // Deleted under the shell: one of the checks says so.
    return undefined;
  }
}
