import { relative } from 'node:path';
import type { MissingServer, ServerSearch, ServerStatus } from '@black-ide/intel';

const LACKS: Record<MissingServer['lack'], (server: MissingServer) => string> = {
  program: ({ spec }) => `\`${spec.program}\` is not installed: ${spec.get}`,
  version: ({ spec, found }) => `${found} is too old: ${spec.get}`,
  trust: () => 'the folder is not trusted: black trust',
};

/** How the servers of a workspace stand, what could be started, and what is missing: one line each. */
export function statusText(running: readonly ServerStatus[], { usable, missing }: ServerSearch, root: string): string {
  const known = new Set(running.map((server) => `${server.id}\0${server.root}`));
  const lines = [
    ...running.map((server) => runningLine(server, root)),
    ...usable
      .filter((server) => !known.has(`${server.spec.id}\0${server.root}`))
      .map((server) => `${server.spec.title}${where(server.root, root)}: not started yet (${server.program})`),
    ...missing.map((server) => `${server.spec.title}${where(server.root, root)}: missing, ${lackText(server)}`),
  ];
  return lines.join('\n') || 'No language server fits what is in this folder.';
}

/** What keeps a server from being used, and what to do about it. */
export function lackText(server: MissingServer): string {
  return LACKS[server.lack](server);
}

function runningLine(
  { title, root: folder, state, pid, activities, message, crashes, problem }: ServerStatus,
  root: string,
) {
  const facts = [
    pid === undefined ? state : `${state}, process ${pid}`,
    ...(activities.length > 0 ? [`busy with ${activities.join(', ')}`] : []),
    ...(crashes > 0 ? [`${crashes} crash${crashes === 1 ? '' : 'es'}`] : []),
    ...(problem ? [problem] : []),
    ...(message ? [`it says: ${message.replaceAll(/\s+/g, ' ')}`] : []),
  ];
  return `${title}${where(folder, root)}: ${facts.join('; ')}`;
}

function where(folder: string, root: string): string {
  return folder === root ? '' : ` in ${relative(root, folder)}`;
}
