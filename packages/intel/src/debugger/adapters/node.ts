import { BlackError } from '@black-ide/protocol';
import { findLocalProgram, findProgram } from '@black-ide/workspace';
import { dialHere } from '../node-adapter/dial.ts';
import type { AdapterSpec } from './adapter-spec.ts';

const NAMES = /^(node|nodejs|npm|npx|pnpm|pnpx|yarn|tsx|ts-node|vitest|jest|mocha|ava|tap|next|vite|nest|c8|nyc)$/;

/** Node, JavaScript and TypeScript, by our own adapter over Node's inspector: there wherever Node is. */
export const NODE: AdapterSpec = {
  id: 'node',
  title: 'our own, over the inspector',
  languages: 'Node.js, JavaScript and TypeScript',
  markers: ['package.json', 'tsconfig.json', 'deno.json', '*.js', '*.mjs', '*.cjs', '*.ts', '*.mts', '*.cts'],
  get: 'https://nodejs.org',
  find: ({ env, root, trusted }) =>
    findProgram('node', { env, workspace: root }) ??
    (trusted ? findLocalProgram('node', (env.PATH ?? '').split(':')) : undefined),
  fits: (command) => command !== undefined && NAMES.test(command.program.slice(command.program.lastIndexOf('/') + 1)),
  exceptionFilters: (mode) => (mode === 'none' ? [] : [mode]),
  start: async (request, _node, world) => {
    const { cwd } = request;
    const dial = world.sandbox ? (port: number) => world.sandbox!.connect(port) : dialHere;
    const { readText } = world;
    // With what it needs to speak to Node; the other adapters bring all that themselves.
    const { NodeAdapter } = await import('../node-adapter/node-adapter.ts');
    if (request.kind === 'launch') {
      const { nodeProgram } = await import('./node-program.ts');
      const debuggee = nodeProgram(request.command, cwd, world);
      return new NodeAdapter({ debuggee, cwd, dial, readText, stopOnEntry: request.stopOnEntry });
    }
    if ('port' in request.to) return new NodeAdapter({ debuggee: { port: request.to.port }, cwd, dial, readText });
    const next = 'Start the program with --inspect and give its port, or send it SIGUSR1 first.';
    throw new BlackError('no_port', 'Node is attached to by the port of its inspector.', next);
  },
};
