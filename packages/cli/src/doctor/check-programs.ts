import { findProgram, probeProgram } from '@black-ide/workspace';
import type { Check, DoctorFacts } from './check.ts';

/** Programs of the machine that we call: `needed` ones are basics. */
const PROGRAMS = [
  { name: 'git', needed: false, why: 'nothing about branches and changes can be told' },
  { name: 'bash', needed: true, why: 'no command can be run' },
] as const;

/** Whether git and bash are there and work. A program of the workspace itself is never run. */
export function checkPrograms(facts: DoctorFacts): Promise<Check[]> {
  return Promise.all(PROGRAMS.map((program) => checkProgram(program, facts)));
}

async function checkProgram(program: (typeof PROGRAMS)[number], { io, cwd }: DoctorFacts): Promise<Check> {
  const { name, needed, why } = program;
  const { env, platform } = io.world;
  const missing = { name, state: needed ? ('fail' as const) : ('warn' as const), fix: installCommand(name, platform) };
  const path = findProgram(name, { env, platform, ...(cwd ? { workspace: cwd } : {}) });
  if (!path) return { ...missing, detail: `not found; ${why}` };
  const probe = await probeProgram(path, ['--version'], { env });
  if (!probe.ok) return { ...missing, detail: `${path} does not work (${probe.problem}); ${why}` };
  return { name, state: 'ok', detail: `${probe.line} (${path})` };
}

function installCommand(name: string, platform: NodeJS.Platform): string {
  if (platform === 'darwin') return `brew install ${name}`;
  if (platform === 'win32') return 'winget install Git.Git';
  return `sudo apt-get install -y ${name}   (or your system's own package manager)`;
}
