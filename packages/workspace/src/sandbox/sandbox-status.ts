import { readFileSync } from 'node:fs';
import { findProgram } from '../doctor/find-program.ts';

/** Whether commands can be contained on this machine. */
export type SandboxStatus =
  | { active: true; bwrap: string; nsenter: string }
  | {
      active: false;
      reason: 'off' | 'unsupported' | 'missing' | 'forbidden';
      /** In a sentence without its full stop. */
      why: string;
      /** The command that mends it. */
      fix?: string;
    };

export interface SandboxSearch {
  env: Readonly<Record<string, string | undefined>>;
  platform?: NodeJS.Platform;
  /** Programs of the workspace are never taken. */
  workspace?: string;
}

/** The programs that the sandbox needs, or what is missing. Nothing is run. */
export function findSandbox({ env, platform = process.platform, workspace }: SandboxSearch): SandboxStatus {
  if (platform !== 'linux') {
    return { active: false, reason: 'unsupported', why: `there is no sandbox for ${platform} in this version` };
  }
  const search = {
    env: { PATH: `${env.PATH ?? ''}:/usr/bin:/bin:/usr/sbin` },
    platform,
    ...(workspace ? { workspace } : {}),
  };
  const bwrap = findProgram('bwrap', search);
  const nsenter = findProgram('nsenter', search);
  if (bwrap && nsenter) return { active: true, bwrap, nsenter };
  const missing = bwrap ? 'nsenter' : 'bubblewrap';
  const fix = `sudo apt-get install -y ${bwrap ? 'util-linux' : 'bubblewrap'}   (or your system's own package manager)`;
  return { active: false, reason: 'missing', why: `${missing} is not installed`, fix };
}

/** Why bubblewrap does not work, in a person's words, with the command that lets it. */
export function forbiddenSandbox(words: string): SandboxStatus {
  const limit = [
    {
      file: '/proc/sys/kernel/apparmor_restrict_unprivileged_userns',
      bad: '1',
      good: 'kernel.apparmor_restrict_unprivileged_userns=0',
    },
    { file: '/proc/sys/kernel/unprivileged_userns_clone', bad: '0', good: 'kernel.unprivileged_userns_clone=1' },
    { file: '/proc/sys/user/max_user_namespaces', bad: '0', good: 'user.max_user_namespaces=10000' },
  ].find(({ file, bad }) => read(file) === bad);
  const why = limit ? `this system forbids user namespaces (${words})` : words;
  const fix = limit ? `sudo sysctl -w ${limit.good}` : undefined;
  return { active: false, reason: 'forbidden', why, ...(fix ? { fix } : {}) };
}

function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    // This kernel has no such switch.
    return undefined;
  }
}
