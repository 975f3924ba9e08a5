import type { RefusedPath } from './resolved-path.ts';

const MAX_PATH_BYTES = 4096;
const WINDOWS_DEVICE = /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$)(\..*)?$/i;

/**
 * Refuses, by its spelling alone, a path that must never reach the disk: empty, with a NUL, of the home folder (a shell
 * would expand it, we do not), of the network or NT name space (a mere look at `\\host\share` sends credentials), of
 * another operating system, a Windows device or stream, or too long.
 */
export function refuseShape(given: string, platform: NodeJS.Platform): RefusedPath | undefined {
  if (given.trim() === '')
    return refusal('path_empty', 'The path is empty.', 'Name a file or folder of the workspace.');
  if (given.includes('\0')) {
    return refusal('path_nul', 'The path contains a NUL character.', 'Give the path without it.');
  }
  if (/^~[A-Za-z0-9._-]*([/\\]|$)/.test(given)) {
    return refusal(
      'path_home',
      `"${given}" starts with "~", which is not expanded.`,
      `Use a path inside the workspace; for a file really called so write "./${given}".`,
    );
  }
  if (/^(\\\\|\/\/|\\\?\?\\|\\\/|\/\\)/.test(given)) {
    return refusal(
      'path_network',
      `"${given}" is a network or device name, not a workspace path.`,
      'Use a path relative to the workspace root, with single "/" between its parts.',
    );
  }
  if (platform === 'win32') {
    const windows = refuseWindowsShape(given);
    if (windows) return windows;
  } else if (/^[A-Za-z]:[\\/]/.test(given)) {
    return refusal('path_foreign', `"${given}" is a Windows path.`, 'Use a path relative to the workspace root.');
  }
  if (Buffer.byteLength(given) > MAX_PATH_BYTES) {
    return refusal('path_too_long', `The path is longer than ${MAX_PATH_BYTES} bytes.`, 'Use a shorter path.');
  }
  return undefined;
}

function refuseWindowsShape(given: string): RefusedPath | undefined {
  const rest = given.replace(/^[A-Za-z]:(?=[\\/])/, '');
  if (rest.includes(':')) {
    return refusal('path_device', `"${given}" names a drive or a stream of a file.`, 'Use a plain path.');
  }
  const device = rest.split(/[\\/]/).find((segment) => WINDOWS_DEVICE.test(segment.replace(/[. ]+$/, '')));
  if (device === undefined) return undefined;
  return refusal('path_device', `"${device}" is a device, not a file.`, 'Use another name.');
}

function refusal(code: string, message: string, next: string): RefusedPath {
  return { ok: false, code, message, next };
}
