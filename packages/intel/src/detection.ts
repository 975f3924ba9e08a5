// What the workspace could be served with, for whoever only asks that: each run does, and few load what would serve.
export { canDebug } from './debugger/adapters/find-adapters.ts';
export { ServerFinder } from './lsp/servers/server-finder.ts';
