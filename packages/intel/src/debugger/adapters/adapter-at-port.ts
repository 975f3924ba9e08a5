import { BlackError } from '@black-ide/protocol';
import type { Address, Configuration, ConnectionListener, DebugConnection, StartedAdapter } from '../connection.ts';
import type { Dial } from '../node-adapter/dial.ts';
import { socketConnection } from './socket-connection.ts';

/** An adapter that a program has started itself, and that waits behind a port; with the conversation it is let go. */
export class AdapterAtPort implements StartedAdapter {
  readonly configuration: Configuration;
  readonly ended: Promise<{ words: string }>;
  readonly #port: number;
  readonly #dial: Dial;
  readonly #end = Promise.withResolvers<{ words: string }>();
  readonly #connections: DebugConnection[] = [];

  constructor(port: number, dial: Dial, attachArguments: Record<string, unknown>) {
    this.#port = port;
    this.#dial = dial;
    this.ended = this.#end.promise;
    this.configuration = { request: 'attach', arguments: attachArguments };
  }

  /** @throws BlackError `not_reachable` */
  async connect(listener: ConnectionListener, to?: Address): Promise<DebugConnection> {
    const port = to?.port ?? this.#port;
    const socket = await this.#dial(port).catch((cause: Error) => {
      const next = 'Start the program so that it waits for a debugger, and give its port.';
      throw new BlackError('not_reachable', `Nothing answers at port ${port}: ${cause.message}.`, next);
    });
    if (to === undefined) socket.once('close', () => this.#end.resolve({ words: '' }));
    const connection = socketConnection(socket, listener);
    this.#connections.push(connection);
    return connection;
  }

  async end(): Promise<void> {
    const reason = new BlackError('session_over', 'The debug session is over.');
    for (const connection of this.#connections) connection.close(reason);
    this.#end.resolve({ words: '' });
  }
}
