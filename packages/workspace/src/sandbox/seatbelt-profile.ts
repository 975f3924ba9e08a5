import { orderedRules, type SandboxPolicy, type SandboxRule } from './sandbox-policy.ts';

/** What programs need of the system that is neither a file nor the network. */
const BASICS = `(version 1)
(deny default)
(allow process-exec process-fork process-info* signal (target same-sandbox))
(allow sysctl-read mach-lookup ipc-posix-shm* ipc-posix-sem iokit-open)
(allow file-read*)
(allow file-write* (literal "/dev/null") (literal "/dev/zero") (literal "/dev/tty") (regex #"^/dev/fd/"))
(deny mach-lookup (global-name "com.apple.SecurityServer") (global-name "com.apple.securityd.xpc"))
(deny network*)`;

/**
 * A profile for macOS' `sandbox-exec`: the same rules as for bubblewrap. The last rule that matches counts, so that the
 * nearest folder has the last word here as well. The network leads to the proxy's port alone.
 *
 * Where bubblewrap shows a private folder, seatbelt cannot: the folder itself (`TMPDIR`) has to be named to the command.
 */
export function seatbeltProfile(policy: SandboxPolicy, { proxyPort }: { proxyPort?: number } = {}): string {
  const port =
    proxyPort === undefined ? [] : [`(allow network-outbound (remote ip ${text(`localhost:${proxyPort}`)}))`];
  return [BASICS, ...orderedRules(policy).flatMap(clauses), ...port, ''].join('\n');
}

function clauses(rule: SandboxRule): string[] {
  const here = `(subpath ${text(rule.path)})`;
  switch (rule.access) {
    case 'write':
      return [`(allow file-read* file-write* ${here})`];
    case 'read':
      return [`(allow file-read* ${here})`, `(deny file-write* ${here})`];
    case 'absent':
      return [`(deny file-write* ${here})`];
    case 'none':
      return [`(deny file-read* file-write* ${here})`];
    case 'private': {
      const own = `(subpath ${text(rule.from)})`;
      return [
        `(deny file-read* file-write* ${here})`,
        `(allow file-read* ${rule.writable ? 'file-write* ' : ''}${own})`,
      ];
    }
  }
}

/** A string of the profile's language, which is Scheme's. */
function text(value: string): string {
  return `"${value.replaceAll(/["\\]/g, '\\$&').replaceAll('\n', '\\n')}"`;
}
