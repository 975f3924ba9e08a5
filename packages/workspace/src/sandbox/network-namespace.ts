import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import type { Server, Socket } from 'node:net';
import { BlackError } from '@black-ide/protocol';
import { enterNamespaces } from './bwrap-arguments.ts';

/** Listens inside, hands its sockets out, the wanted ones first, and ends as soon as it has been let go. */
const DOORKEEPER = `process.on('disconnect',()=>process.exit(0));
const open=(port)=>new Promise((done)=>{const s=require('net').createServer();s.on('error',done);
s.listen(port,'127.0.0.1',()=>process.send({pid:process.pid,port:s.address().port,wanted:port},s,done))});
(async()=>{for(const port of [...process.argv.slice(1),0])await open(Number(port))})();`;
/** Connects inside and hands the socket out; nothing has been read from it. */
const CALLER = `const s=require('net').connect({host:'127.0.0.1',port:Number(process.argv[1])});s.pause();
s.on('error',(e)=>{process.send({error:e.message},()=>process.exit(1))});
s.on('connect',()=>process.send({},s,{keepOpen:false},()=>process.disconnect()));`;
const PATIENCE_MS = 10_000;
const MAIN = 0;

/** A listening socket of the namespace. */
interface Door {
  /** The doorkeeper's. */
  pid: number;
  port: number;
  /** The port that was asked for; 0 for the main one, which takes any. */
  wanted: number;
  server: Server;
}

/**
 * A network of its own for all commands of a session, with nothing in it but a loopback device, so that they reach each
 * other (a server in the background, a client in front), and one port that leads to this process.
 *
 * No process stays: a namespace lives as long as somebody holds it open, which is this process alone. The port's socket
 * was made inside and handed out; connections to it are accepted here. So a killed engine leaves nothing.
 */
export class NetworkNamespace {
  /** Of the main door, on 127.0.0.1 inside. */
  readonly port: number;
  readonly #descriptors: readonly [number, number];
  readonly #doors: readonly Door[];

  private constructor(port: number, descriptors: [number, number], doors: readonly Door[]) {
    this.port = port;
    this.#descriptors = descriptors;
    this.#doors = doors;
  }

  /**
   * @param bwrap absolute path of bubblewrap
   * @param onConnection told of each connection to the main door (0), or to one of the ports
   * @param ports further ones that lead out; those that cannot be opened are left out
   * @throws BlackError `sandbox_unavailable` with bubblewrap's own words
   */
  static async create(
    bwrap: string,
    onConnection: (socket: Socket, port: number) => void,
    ports: readonly number[] = [],
  ): Promise<NetworkNamespace> {
    const contained = ['--unshare-user', '--unshare-net', '--die-with-parent', '--dev-bind', '/', '/'];
    const child = spawn(bwrap, [...contained, '--', process.execPath, '-e', DOORKEEPER, '--', ...ports.map(String)], {
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      env: { ELECTRON_RUN_AS_NODE: '1' },
      cwd: '/',
    });
    try {
      const doors = await doorsOf(child);
      const { pid, port } = doors.at(-1)!;
      const user = openSync(`/proc/${pid}/ns/user`, 'r');
      let network: number;
      try {
        network = openSync(`/proc/${pid}/ns/net`, 'r');
      } catch (cause) {
        closeSync(user);
        for (const { server } of doors) server.close();
        throw cause;
      }
      for (const { server, wanted } of doors) {
        server.on('connection', (socket) => onConnection(socket, wanted));
        // It is no reason for the program to go on.
        server.unref();
      }
      return new NetworkNamespace(port, [user, network], doors);
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

  /**
   * Connects to a port of 127.0.0.1 inside: for servers that the namespace's programs open for us.
   * @param nsenter absolute path
   * @returns the connected socket, paused
   * @throws BlackError `not_reachable`
   */
  connect(nsenter: string, port: number): Promise<Socket> {
    const program = [process.execPath, '-e', CALLER, '--', String(port)];
    const child = spawn(nsenter, [...enterNamespaces(), ...program], {
      stdio: ['ignore', 'ignore', 'ignore', ...this.#descriptors, 'ipc'],
      env: { ELECTRON_RUN_AS_NODE: '1' },
      cwd: '/',
    });
    return new Promise((resolve, reject) => {
      const fail = (why: string): void => {
        clearTimeout(timer);
        reject(new BlackError('not_reachable', `The port ${port} in the sandbox cannot be reached: ${why}`));
      };
      const timer = setTimeout(() => {
        child.kill('SIGKILL');
        fail('no answer in time');
      }, PATIENCE_MS);
      child.once('error', (error) => fail(error.message));
      child.once('close', (code) => fail(`exit code ${code}`));
      child.once('message', ({ error }: { error?: string }, socket) => {
        if (!socket) return fail(error ?? 'it sent no socket');
        clearTimeout(timer);
        resolve(socket as Socket);
      });
    });
  }

  dispose(): void {
    for (const descriptor of this.#descriptors) closeSync(descriptor);
    for (const { server } of this.#doors) server.close();
  }
}

/** All that the doorkeeper hands out, the main door last. */
function doorsOf(child: ChildProcess): Promise<Door[]> {
  const doors: Door[] = [];
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
    child.on('message', (message: Omit<Door, 'server'>, server) => {
      doors.push({ ...message, server: server as Server });
      if (message.wanted !== MAIN) return;
      clearTimeout(timer);
      resolve(doors);
    });
  });
}
