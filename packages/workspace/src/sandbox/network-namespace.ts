import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import type { Server, Socket } from 'node:net';
import { BlackError } from '@black-ide/protocol';

/** Listens inside, hands its socket out, and ends as soon as it has been let go. */
const DOORKEEPER = `const s=require('net').createServer();
s.listen(0,'127.0.0.1',()=>process.send({pid:process.pid,port:s.address().port},s));
process.on('disconnect',()=>process.exit(0));`;
const PATIENCE_MS = 10_000;

/**
 * A network of its own for all commands of a session, with nothing in it but a loopback device, so that they reach each
 * other (a server in the background, a client in front), and one port that leads to this process.
 *
 * No process stays: a namespace lives as long as somebody holds it open, which is this process alone. The port's socket
 * was made inside and handed out; connections to it are accepted here. So a killed engine leaves nothing.
 */
export class NetworkNamespace {
  /** Of the proxy, on 127.0.0.1 inside. */
  readonly port: number;
  readonly #descriptors: readonly [number, number];
  readonly #server: Server;

  private constructor(port: number, descriptors: [number, number], server: Server) {
    this.port = port;
    this.#descriptors = descriptors;
    this.#server = server;
  }

  /**
   * @param bwrap absolute path of bubblewrap
   * @param onConnection told of each connection to the port
   * @throws BlackError `sandbox_unavailable` with bubblewrap's own words
   */
  static async create(
    bwrap: string,
    onConnection: (socket: Socket) => void,
    node = process.execPath,
  ): Promise<NetworkNamespace> {
    const contained = ['--unshare-user', '--unshare-net', '--die-with-parent', '--dev-bind', '/', '/'];
    const child = spawn(bwrap, [...contained, '--', node, '-e', DOORKEEPER], {
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      env: { ELECTRON_RUN_AS_NODE: '1' },
      cwd: '/',
    });
    try {
      const { pid, port, server } = await firstMessage(child);
      const user = openSync(`/proc/${pid}/ns/user`, 'r');
      let network: number;
      try {
        network = openSync(`/proc/${pid}/ns/net`, 'r');
      } catch (cause) {
        closeSync(user);
        server.close();
        throw cause;
      }
      server.on('connection', onConnection);
      // It is no reason for the program to go on.
      server.unref();
      return new NetworkNamespace(port, [user, network], server);
    } finally {
      if (child.connected) child.disconnect();
      child.stderr?.destroy();
      child.unref();
    }
  }

  /** What `nsenter` needs: the namespaces of users and of the network, as open descriptors. */
  get descriptors(): readonly [number, number] {
    return this.#descriptors;
  }

  dispose(): void {
    for (const descriptor of this.#descriptors) closeSync(descriptor);
    this.#server.close();
  }
}

function firstMessage(child: ChildProcess): Promise<{ pid: number; port: number; server: Server }> {
  let words = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    words = (words + text).slice(-2_000);
  });
  return new Promise((resolve, reject) => {
    const fail = (why: string): void => {
      clearTimeout(timer);
      reject(new BlackError('sandbox_unavailable', `bubblewrap does not work here: ${words.trim() || why}`));
    };
    const timer = setTimeout(() => {
      child.kill('SIGKILL');
      fail('it did not start in time');
    }, PATIENCE_MS);
    child.once('error', (error) => fail(error.message));
    child.once('close', (code) => fail(`it ended with exit code ${code}`));
    child.once('message', (message: { pid: number; port: number }, server) => {
      clearTimeout(timer);
      resolve({ ...message, server: server as Server });
    });
  });
}
