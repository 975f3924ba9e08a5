/** What a command's result tells of the sandbox; of any shape, as it comes out of a log. */
interface SandboxDetails {
  blockedHosts?: unknown;
  /** What would let these hosts through, for the settings file. */
  allowHosts?: unknown;
  setAside?: unknown;
  homeWrites?: unknown;
  readOnly?: unknown;
}

const NAMED = 4;

/** What the sandbox kept a command from, for the end of its line. */
export function sandboxMarks(details: unknown): string {
  const { blockedHosts, setAside, readOnly } = known(details);
  const hosts = texts(blockedHosts);
  const taken = Array.isArray(setAside) ? setAside.length : 0;
  return [
    hosts.length > 0 ? ` · blocked ${hosts[0]}${hosts.length > 1 ? ` and ${hosts.length - 1} more` : ''}` : '',
    readOnly === true ? ' · read-only in the sandbox' : '',
    taken > 0 ? ` · ${taken} taken out` : '',
  ].join('');
}

/** What a person should know of it, or can do about it, one sentence each. */
export function sandboxRemedies(details: unknown): string[] {
  const { allowHosts, homeWrites } = known(details);
  const written = texts(homeWrites);
  const remedies: string[] = [];
  if (written.length > 0) {
    const more = written.length > NAMED ? ` and ${written.length - NAMED} more` : '';
    const paths = `${written.slice(0, NAMED).join(', ')}${more}`;
    remedies.push(`written only inside the sandbox: ${paths}; to keep it the command has to run outside (unsandboxed)`);
  }
  const { file, text } = known(allowHosts) as { file?: unknown; text?: unknown };
  if (typeof file === 'string' && typeof text === 'string') remedies.push(`to allow it: ${text} in ${file}`);
  return remedies;
}

function known(details: unknown): SandboxDetails {
  return typeof details === 'object' && details !== null ? details : {};
}

function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
}
