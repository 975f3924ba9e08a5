import type { SandboxSearch, SandboxStatus } from './sandbox-status.ts';

/** Whether commands can be contained here: tried out, with nothing left behind. */
export async function probeSandbox(search: SandboxSearch): Promise<SandboxStatus> {
  const { openSandbox } = await import('./open-sandbox.ts');
  const { status, network } = await openSandbox(search, (socket) => socket.destroy());
  network?.dispose();
  return status;
}
