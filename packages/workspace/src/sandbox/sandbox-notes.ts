import { relative } from 'node:path';
import type { SandboxReport } from './sandbox-report.ts';

const READ_ONLY = /read-only file system|EROFS|device or resource busy|EBUSY/i;
const NO_NETWORK =
  /could not resolve host|name resolution|name or service not known|network is unreachable|ENOTFOUND|EAI_AGAIN|ENETUNREACH/i;
const NO_KEYS =
  /permission denied \(publickey|could not read (username|password)|gpg(sm)? failed to sign|no secret key|ssh-agent|docker daemon|dbus/i;
const SHOWN = 5;

/** Whether a failed command's output tells of a write that the sandbox does not let through. */
export function tellsReadOnly(output: string): boolean {
  return /read-only file system|\bEROFS\b/i.test(output);
}

/**
 * What a model has to know of the sandbox's part in how a command went, one line each: what was blocked, by which rule,
 * and how a person can allow it.
 *
 * @param failed the command's exit code was not 0
 */
export function sandboxNotes(
  report: SandboxReport,
  { root, output, failed }: { root: string; output: string; failed: boolean },
): string[] {
  const notes: string[] = [];
  const list = (paths: readonly string[]): string => shortened(paths.map((path) => relative(root, path) || path));
  if (report.blockedHosts.length > 0) {
    const hosts = shortened(report.blockedHosts.map(({ host, port, why }) => `${host}:${port} (${why})`));
    notes.push(`blocked ${hosts}; the person can allow hosts with "sandbox.allowedHosts" in settings.json`);
  } else if (failed && NO_NETWORK.test(output)) {
    notes.push('no network but through the proxy of HTTP_PROXY, to hosts in "sandbox.allowedHosts" of settings.json');
  }
  if (report.homeWrites.length > 0) {
    const paths = shortened(report.homeWrites.map(inOneLine));
    notes.push(
      `written only inside the sandbox, gone with the session: ${paths}; to keep it the command has to run with unsandboxed: true, which asks the person`,
    );
  }
  if (failed && READ_ONLY.test(output)) {
    notes.push(
      'read-only here: all outside the workspace, the temporary folder and tool caches, and inside it .git/config, hooks and protected files; where that is needed, repeat with unsandboxed: true, which asks the person',
    );
  }
  if (failed && NO_KEYS.test(output)) {
    notes.push(
      'keys, tokens and agents of the person are hidden here; repeat with unsandboxed: true, which asks the person',
    );
  }
  if (report.setAside.length > 0) {
    const paths = list(report.setAside.map(({ path }) => path));
    const why = [...new Set(report.setAside.map((each) => each.why))].join('; ');
    const kept = report.setAside[0]!.keptAt;
    notes.push(`taken out of the workspace: ${paths} (protected: ${why}), kept at ${kept}; write_file asks the person`);
  }
  if (report.restored.length > 0) notes.push(`put back as it was: ${list(report.restored)}`);
  if (report.appeared.length > 0) notes.push(`protected files came into being meanwhile: ${list(report.appeared)}`);
  if (report.unwatched.length > 0) {
    notes.push(`too many new folders to watch, read-only for commands from now on: ${list(report.unwatched)}`);
  }
  return notes.map((note) => `[sandbox: ${note}]`);
}

function inOneLine(path: string): string {
  return path.replaceAll(/[\p{Cc}\p{Cf}]/gu, '?');
}

function shortened(items: readonly string[]): string {
  const more = items.length - SHOWN;
  return `${items.slice(0, SHOWN).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
