import type { Socket } from 'node:net';
import { BlackError } from '@black-ide/protocol';
import { DapConnection } from '../../rpc/dap-connection.ts';
import type { ConnectionListener, DebugConnection } from '../connection.ts';

/** A conversation over a connected socket; it is over when the socket is closed. */
export function socketConnection(socket: Socket, listener: ConnectionListener): DebugConnection {
  const connection = new DapConnection({ ...listener, write: (text) => socket.write(text) });
  socket.on('data', (chunk: Buffer) => connection.receive(chunk));
  // A socket that breaks is closed.
  socket.on('error', () => socket.destroy());
  socket.on('close', () => closeWith(connection, listener, ''));
  socket.resume();
  return {
    request: (command, args, signal) => connection.request(command, args, signal),
    close: (reason) => {
      connection.close(reason);
      socket.destroy();
    },
  };
}

/** Tells everybody that an adapter is gone, and its last words. */
export function closeWith(connection: DapConnection, listener: ConnectionListener, words: string): void {
  const reason = new BlackError('adapter_ended', words || 'The debugger has ended.');
  connection.close(reason);
  listener.onClosed(reason);
}
