import type { Documents } from '@black-ide/workspace';

/**
 * Where a workspace keeps its knowledge, as a path below its root: `.blackide/knowledge`, or what there is already in
 * another case (`.blackIDE/Knowledge`).
 */
export async function knowledgePlace(documents: Documents, root: string, signal: AbortSignal): Promise<string> {
  const folder = await blackidePlace(documents, root, signal);
  const knowledge = await existing(documents, `${root}/${folder}`, 'knowledge', signal);
  return `${folder}/${knowledge}`;
}

/** The workspace's `.blackide` folder as it is spelled there; whether it exists or not. */
export function blackidePlace(documents: Documents, root: string, signal: AbortSignal): Promise<string> {
  return existing(documents, root, '.blackide', signal);
}

/** The name as it is spelled in the folder; as given where nothing of that name is there. */
async function existing(documents: Documents, folder: string, name: string, signal: AbortSignal): Promise<string> {
  const listed = await documents.list(folder, { signal });
  if (!listed.ok) return name;
  const same = listed.entries.filter((entry) => entry.name.toLowerCase() === name && entry.kind !== 'file');
  return same.find((entry) => entry.name === name)?.name ?? same[0]?.name ?? name;
}
