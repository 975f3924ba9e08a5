import type { CheckpointManager, CheckpointManagerOptions } from './checkpoint-manager.ts';

/** Opens a workspace's checkpoints; their code is loaded only now. */
export async function openCheckpoints(options: CheckpointManagerOptions): Promise<CheckpointManager> {
  const { CheckpointManager: Manager } = await import('./checkpoint-manager.ts');
  return new Manager(options);
}
