import { connect, type Socket } from 'node:net';

/** Connects to a port of the loopback device, which may be a sandbox's. */
export type Dial = (port: number) => Promise<Socket>;

/** To the loopback device of this machine. */
export const dialHere: Dial = (port) =>
  new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port });
    socket.once('error', reject);
    socket.once('connect', () => {
      socket.off('error', reject);
      resolve(socket);
    });
  });
