import { isRecord } from '@black-ide/protocol';
import { readSettings } from '@black-ide/workspace';

export interface SandboxSettings {
  /** The person does without. */
  off: boolean;
  allowedHosts: string[];
}

/**
 * What the user's `settings.json` says of the sandbox: `"sandbox": "off"`, and `sandbox.allowedHosts`, written so or
 * nested. Settings that cannot be read leave it on, with no host allowed.
 */
export function sandboxSettings(home: string): SandboxSettings {
  const settings = parse(home);
  const { sandbox } = settings;
  const nested = isRecord(sandbox) ? sandbox.allowedHosts : undefined;
  const hosts = settings['sandbox.allowedHosts'] ?? nested;
  return {
    off: sandbox === 'off',
    allowedHosts: Array.isArray(hosts) ? hosts.filter((host) => typeof host === 'string') : [],
  };
}

function parse(home: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(readSettings(home).text ?? '{}');
    return isRecord(value) ? value : {};
  } catch {
    // Told by whoever reads the whole of it; here the strict reading counts.
    return {};
  }
}
