import type { Embedder } from '@black-ide/intel';
import { readSettings, stateHome } from '@black-ide/workspace';
import type { World } from '../world.ts';

export interface OpenedEmbedder {
  embedder: Embedder | undefined;
  dispose(): void;
}

/** Whoever makes vectors of the code, where the person's settings name one (INT-9). */
export async function openEmbedder(root: string, world: World): Promise<OpenedEmbedder> {
  const { env, platform, clock, keyring } = world;
  const home = stateHome({ env, cwd: root, platform });
  if (home === undefined || !mayName(home, env)) return { embedder: undefined, dispose: () => undefined };
  const { openCodeEmbedder } = await world.loadEngine();
  return await openCodeEmbedder({ home, root, env, clock, keyring });
}

/** Loading the engine to learn that there is no embedder would cost more than a search. */
function mayName(home: string, env: World['env']): boolean {
  if (env.BLACK_EMBEDDINGS) return true;
  try {
    return readSettings(home).text?.includes('embeddings') ?? false;
  } catch {
    // Settings that cannot be read name nobody; the commands that heed them say what is wrong.
    return false;
  }
}
