import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

/**
 * Imports a package of this folder's own `node_modules`, which is no part of the workspaces and is installed apart from
 * them. `T` names what the caller uses of it.
 */
export async function importPeer<T>(name: string): Promise<T> {
  if (!existsSync(new URL('node_modules/', import.meta.url))) {
    throw new Error('The peers are not installed. Run: npm ci --prefix e2e/peers');
  }
  const path = createRequire(import.meta.url).resolve(name);
  return (await import(pathToFileURL(path).href)) as T;
}
