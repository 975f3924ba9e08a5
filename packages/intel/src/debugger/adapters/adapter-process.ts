import type { Socket } from 'node:net';
import { StringDecoder } from 'node:string_decoder';
import { BlackError } from '@black-ide/protocol';
import type { ServerProcess } from '@black-ide/workspace';
import { DapConnection } from '../../rpc/dap-connection.ts';
import type { Address, Configuration, ConnectionListener, DebugConnection, StartedAdapter } from '../connection.ts';
import { dialHere } from '../node-adapter/dial.ts';
import { field } from '../read-dap.ts';
import type { AdapterWorld } from './adapter-world.ts';
import { closeWith, socketConnection } from './socket-connection.ts';

export interface AdapterProcessOptions {
  program: string;
  args: readonly string[];
  cwd: string;
  world: AdapterWorld;
  configuration: Configuration;
  /** Where it says on its standard output that it listens, the port as first group; it speaks there itself otherwise. */
  listens?: RegExp;
  /** How its output tells the debuggee's exit code, as first group, where the adapter has no event for it. */
  exits?: RegExp;
  runId?: string;
}

/** Of what an adapter says before it is heard of. */
const MOST_WORDS = 2_000;
const PATIENCE_MS = 30_000;

/**
 * A debug adapter in a process of its own, contained where programs are. With it ends everything that it has started,
 * also where it is killed: a debuggee does not outlive it.
 */
export class AdapterProcess implements StartedAdapter {
  readonly configuration: Configuration;
  readonly ended: Promise<{ words: string }>;
  readonly #server: ServerProcess;
  readonly #world: AdapterWorld;
  readonly #port: Promise<number> | undefined;
  readonly #exits: RegExp | undefined;
  #receive: (chunk: Buffer) => void;
  #sockets = new Set<Socket>();

  /** @throws BlackError `spawn_failed`, `cwd_missing`, `sandbox_failed` */
  static async start(options: AdapterProcessOptions): Promise<AdapterProcess> {
    const { program, args, cwd, world } = options;
    const { sandbox, env } = world;
    const own = { ...env };
    let receive: (chunk: Buffer) => void = () => undefined;
    const server = await world.processes.serve({
      // Both of its streams are one: where it listens on a port, a debuggee prints into them.
      ...(options.listens
        ? { program: '/bin/sh', args: ['-c', 'exec "$0" "$@" 2>&1', program, ...args] }
        : { program, args }),
      cwd,
      env: own,
      ...(options.runId === undefined ? {} : { runId: options.runId }),
      onOutput: (chunk) => receive(chunk),
      ...(sandbox ? { sandbox: () => sandbox.contain({ cwd, env: definedOf(own) }) } : {}),
    });
    return new AdapterProcess(server, options, (next) => {
      receive = next;
    });
  }

  private constructor(
    server: ServerProcess,
    { configuration, world, listens, exits, program }: AdapterProcessOptions,
    onOutput: (receive: (chunk: Buffer) => void) => void,
  ) {
    this.configuration = configuration;
    this.#server = server;
    this.#world = world;
    this.#exits = exits;
    this.#receive = () => undefined;
    onOutput((chunk) => this.#receive(chunk));
    let words = '';
    this.ended = server.ended.then(({ exitCode, ended }) => {
      for (const socket of this.#sockets) socket.destroy();
      if (ended === 'asked') return { words: '' };
      const said = (server.errors || words).trim().split('\n').slice(-5).join('\n');
      return { words: said || `${program} has ended${exitCode === null ? '' : ` with exit code ${exitCode}`}.` };
    });
    if (!listens) return;
    this.#port = new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new BlackError('not_started', `${program} does not listen.`)), PATIENCE_MS);
      void this.ended.then(({ words: why }) => {
        clearTimeout(timer);
        reject(new BlackError('not_started', why));
      });
      this.#receive = (chunk) => {
        words = (words + chunk.toString('utf8')).slice(-MOST_WORDS);
        const port = listens.exec(words)?.[1];
        if (port === undefined) return;
        clearTimeout(timer);
        resolve(Number(port));
      };
    });
    this.#port.catch(() => undefined);
  }

  async connect(given: ConnectionListener, to?: Address): Promise<DebugConnection> {
    const listener = this.#exits ? withExitCode(given, this.#exits) : given;
    if (to === undefined && this.#port === undefined) return this.#overStdio(listener);
    const port = to?.port ?? (await this.#port!);
    if (to === undefined) this.#tellOutput(listener);
    const { sandbox } = this.#world;
    const socket = await (sandbox ? sandbox.connect(port) : dialHere(port));
    this.#sockets.add(socket);
    socket.once('close', () => this.#sockets.delete(socket));
    return socketConnection(socket, listener);
  }

  async end(): Promise<void> {
    await this.#server.end();
    await this.ended;
  }

  #overStdio(listener: ConnectionListener): DebugConnection {
    const connection = new DapConnection({ ...listener, write: (text) => this.#server.write(text) });
    this.#receive = (chunk) => connection.receive(chunk);
    void this.ended.then(({ words }) => closeWith(connection, listener, words));
    return connection;
  }

  /** What a listening adapter prints from now on is its debuggee's. */
  #tellOutput(listener: ConnectionListener): void {
    const decoder = new StringDecoder('utf8');
    this.#receive = (chunk) => listener.onEvent('output', { category: 'stdout', output: decoder.write(chunk) });
  }
}

/** The same, with an `exited` event where the output tells of it. */
function withExitCode(listener: ConnectionListener, exits: RegExp): ConnectionListener {
  return {
    ...listener,
    onEvent: (event, body) => {
      const code = event === 'output' ? exits.exec(field(body, 'output', 'string') ?? '')?.[1] : undefined;
      if (code !== undefined) listener.onEvent('exited', { exitCode: Number(code) });
      listener.onEvent(event, body);
    },
  };
}

function definedOf(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(Object.entries(env).filter((each): each is [string, string] => each[1] !== undefined));
}
