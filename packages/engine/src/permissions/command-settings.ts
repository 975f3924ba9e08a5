import { isRecord } from '@black-ide/protocol';
import { readSettings } from '@black-ide/workspace';

/** What the settings say of commands. */
export interface CommandSettings {
  /** `commandPolicy.allow`: not checked yet. */
  allow: readonly unknown[];
  /** `commandPolicy.deny`: not checked yet. */
  deny: readonly unknown[];
  autoApproveTerminal: boolean;
  /** Why the settings cannot be read: until then nothing runs unasked. */
  closed?: string;
}

const NOTHING: CommandSettings = { allow: [], deny: [], autoApproveTerminal: false };

/** The settings about commands in the person's `settings.json`; keys with a dot may be nested as well. Never throws. */
export function commandSettings(home: string): CommandSettings {
  let where = home;
  try {
    const { path, text } = readSettings(home);
    where = path;
    if (text === undefined) return NOTHING;
    const value: unknown = JSON.parse(text);
    if (!isRecord(value)) return { ...NOTHING, closed: `${path} is no object` };
    const policy = isRecord(value.commandPolicy) ? value.commandPolicy : {};
    const list = (name: 'allow' | 'deny'): unknown => value[`commandPolicy.${name}`] ?? policy[name] ?? [];
    const [allow, deny] = [list('allow'), list('deny')];
    if (!Array.isArray(deny)) return { ...NOTHING, closed: `${path}: commandPolicy.deny is no list` };
    return { allow: Array.isArray(allow) ? allow : [], deny, autoApproveTerminal: value.autoApproveTerminal === true };
  } catch (cause) {
    return { ...NOTHING, closed: `${where} cannot be read: ${cause instanceof Error ? cause.message : String(cause)}` };
  }
}
