import type { CommandResults, Request } from '@black-ide/protocol';
import { findConfiguration, realPathOf } from '@black-ide/workspace';
import type { WorkspaceTrust } from './workspace-trust.ts';

/** The answer that trusts. */
export const TRUST = 'trust';
const READ_ONLY = 'read-only';

/** Whether the folder is trusted, and what in it configures us: told by names alone, nothing is opened. */
export async function describeTrust(trust: WorkspaceTrust): Promise<CommandResults['describeTrust']> {
  const { trusted, state, problem, root } = trust;
  return {
    folder: realPathOf(root),
    trusted,
    how: state,
    ...(problem ? { problem } : {}),
    ignored: trusted ? [] : await findConfiguration(root),
  };
}

/** So many names stand in one line. */
const SHOWN = 4;

/**
 * Says that the folder's configuration is not read, where there is any: whoever wrote it would wonder. For where nobody is
 * asked.
 */
export async function untrustedNote(trust: WorkspaceTrust): Promise<string | undefined> {
  const { ignored } = await describeTrust(trust);
  const ours = ignored.flatMap(({ path, ours }) => (ours ? [path] : []));
  if (ours.length === 0) return undefined;
  const more = ours.length > SHOWN ? ` and ${ours.length - SHOWN} more` : '';
  const names = ours.slice(0, SHOWN).join(', ') + more;
  return `This folder is not trusted: it is only read, and these are ignored: ${names}. \`black trust\` trusts it for good, --trust for one run.`;
}

/** The question whether a person trusts the folder. What nobody answers stays read-only. */
export async function trustRequest(trust: WorkspaceTrust): Promise<Omit<Request, 'id'>> {
  const { folder, ignored } = await describeTrust(trust);
  return {
    kind: 'trust',
    title: 'Do you trust this folder?',
    payload: { folder, ignored },
    options: [
      { value: TRUST, label: 'Trust it' },
      { value: READ_ONLY, label: 'Stay read-only' },
    ],
    default: READ_ONLY,
  };
}
