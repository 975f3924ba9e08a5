import type { Socket } from 'node:net';
import { BlackError } from '@black-ide/protocol';
import { enterNetwork } from './bwrap-arguments.ts';
import { NetworkNamespace } from './network-namespace.ts';
import { findSandbox, forbiddenSandbox, type SandboxSearch, type SandboxStatus } from './sandbox-status.ts';
import { trySandbox } from './try-sandbox.ts';

export interface OpenedSandbox {
  status: SandboxStatus;
  /** Where it works: the network that its commands share. */
  network?: NetworkNamespace;
}

/** Finds the sandbox's programs, makes its network (see there) and tries it out; takes about 50 ms. Does not throw. */
export async function openSandbox(
  search: SandboxSearch,
  onConnection: (socket: Socket, port: number) => void,
  ports: readonly number[] = [],
): Promise<OpenedSandbox> {
  const status = findSandbox(search);
  if (!status.active) return { status };
  let network: NetworkNamespace | undefined;
  try {
    network = await NetworkNamespace.create(status.bwrap, onConnection, ports);
    await trySandbox([status.nsenter, ...enterNetwork(status.bwrap)], network.descriptors);
    return { status, network };
  } catch (cause) {
    network?.dispose();
    return { status: forbiddenSandbox(BlackError.toValue(cause).message) };
  }
}
