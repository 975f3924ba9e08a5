import { orderedRules, type SandboxPolicy, type SandboxRule } from './sandbox-policy.ts';

/** Places of the system whose sockets lead out of the sandbox, and what is shown of them all the same. */
const SYSTEM: readonly string[] = [
  ...['--ro-bind', '/', '/'],
  ...['--dev', '/dev'],
  ...['--proc', '/proc'],
  ...['--tmpfs', '/run'],
  // Where NixOS keeps its programs.
  ...['--ro-bind-try', '/run/current-system', '/run/current-system'],
  ...['--ro-bind-try', '/run/opengl-driver', '/run/opengl-driver'],
];

/**
 * The arguments of bubblewrap for a policy, up to the command itself: namespaces of its own for users, processes and
 * System V objects, no privileges, everything read-only but what the rules say. The network is the one that it is
 * started in (see `NetworkNamespace`). It ends with its parent.
 */
export function bwrapArguments(policy: SandboxPolicy, options: { cwd: string }): string[] {
  const rules = orderedRules(policy);
  return [
    ...['--unshare-user', '--unshare-pid', '--unshare-ipc'],
    ...['--die-with-parent', '--new-session', '--cap-drop', 'ALL'],
    ...SYSTEM,
    ...rules.flatMap(mount),
    // Last: where nothing can be written, nothing can be mounted either, and something is shown inside some of them.
    ...['/run', ...rules.filter(isEmptyFolder).map(({ path }) => path)].flatMap((path) => ['--remount-ro', path]),
    ...['--chdir', options.cwd],
    '--',
  ];
}

/** The arguments of `nsenter` that start a program in the network whose descriptors it gets as 3 and 4. */
export function enterNamespaces(): string[] {
  return ['--user=/proc/self/fd/3', '--net=/proc/self/fd/4', '--preserve-credentials', '--'];
}

/** The same for bubblewrap. */
export function enterNetwork(bwrap: string): string[] {
  return [...enterNamespaces(), bwrap];
}

function mount(rule: SandboxRule): string[] {
  const { path } = rule;
  if (isEmptyFolder(rule)) return ['--tmpfs', path];
  switch (rule.access) {
    case 'write':
      return ['--bind', path, path];
    case 'private':
      return [rule.writable ? '--bind' : '--ro-bind', rule.from, path];
    case 'none':
      // bubblewrap forbids devices on what it binds, so that not even this one can be opened.
      return ['--ro-bind', '/dev/null', path];
    default:
      return ['--ro-bind', path, path];
  }
}

function isEmptyFolder(rule: SandboxRule): boolean {
  return rule.access === 'absent' || (rule.access === 'none' && rule.kind === 'folder');
}
