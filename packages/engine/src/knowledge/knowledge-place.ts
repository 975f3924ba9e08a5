import type { Documents } from '@black-ide/workspace';

/**
 * Where a workspace keeps its knowledge, as a path below its root: `.blackide/knowledge`, or what there is already in
 * another case (`.blackIDE/Knowledge`).
 */
export async function knowledgePlace(documents: Documents, root: string, signal: AbortSignal): Promise<string> {
  const folder = await existing(documents, root, '.blackide', signal);
  const knowledge = await existing(documents, `${root}/${folder}`, 'knowledge', signal);
  return `${folder}/${knowledge}`;
}

/** The name as it is spelled in the folder; as given where nothing of that name is there. */
async function existing(documents: Documents, folder: string, name: string, signal: AbortSignal): Promise<string> {
  const listed = await documents.list(folder, { signal });
  if (!listed.ok) return name;
  const same = listed.entries.filter((entry) => entry.name.toLowerCase() === name && entry.kind !== 'file');
  return same.find((entry) => entry.name === name)?.name ?? same[0]?.name ?? name;
}
