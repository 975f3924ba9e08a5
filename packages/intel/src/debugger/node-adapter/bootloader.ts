/** The name under which a process finds its bootloader in the mailbox; nobody else's code is called so. */
export const BOOTLOADER_FILE = 'black-debug-attach.cjs';

/** What a process tells of itself before its first own line. */
export interface Greeting {
  /** The address of its inspector, e.g. `ws://127.0.0.1:41234/…`. */
  url: string;
  pid: number;
  argv: string[];
}

/** The function of the bootloader that halts before a CommonJS module with a source map is compiled. */
export const HALT = 'haltBeforeModule';

/**
 * Loaded before the first line of every Node process of a debuggee, by `NODE_OPTIONS`: opens the inspector on a free port
 * of the loopback device, leaves the address, which nobody can guess, in its own folder, and waits for us. Package
 * managers are not debugged, only what they start. Worker threads come through their process; the runner of
 * `node --test` has no inspector, its test files do.
 *
 * V8 halts before scripts with a source map run, so that their breakpoints can be set, but not before what CommonJS
 * compiles as a function: that is done here. Written for every Node since version 14.
 */
export const BOOTLOADER = `'use strict';
const { isMainThread } = require('worker_threads');
const main = process.argv[1] || '';
const isManager = /[\\/](npm|npx|pnpm|pnpx|yarn|corepack)(-cli)?(.c?js)?$/.test(main);

function ${HALT}(filename, map) {
  debugger;
}

function haltBeforeModules() {
  const Module = require('module');
  const compile = Module.prototype._compile;
  Module.prototype._compile = function (content, filename, ...rest) {
    if (typeof content === 'string' && !/[\\/]node_modules[\\/]/.test(filename)) {
      const at = content.lastIndexOf('//# sourceMappingURL=');
      if (at >= 0) ${HALT}(filename, content.slice(at + 21).trim());
    }
    return compile.call(this, content, filename, ...rest);
  };
}

if (!isManager) haltBeforeModules();
if (isMainThread && !isManager) {
  let inspector;
  try {
    inspector = require('inspector');
    if (!inspector.url()) inspector.open(0, '127.0.0.1');
  } catch (error) {
    inspector = undefined;
  }
  if (inspector && inspector.url()) {
    const fs = require('fs');
    const file = require('path').join(__dirname, process.pid + '-' + process.hrtime.bigint());
    const greeting = { url: inspector.url(), pid: process.pid, argv: process.argv.slice(0, 20) };
    fs.writeFileSync(file, JSON.stringify(greeting));
    fs.renameSync(file, file + '.letter');
    inspector.waitForDebugger();
  }
}
`;

/** `NODE_OPTIONS` with the bootloader; what a person has there stays. */
export function nodeOptions(folder: string, given: string | undefined): string {
  // Node takes a backslash and a quote in a quoted word only behind a backslash.
  const path = `${folder}/${BOOTLOADER_FILE}`.replaceAll(/["\\]/g, '\\$&');
  return [given, `--require "${path}"`].filter(Boolean).join(' ');
}

const CHATTER = [
  /^Debugger (listening|ending) on ws:\/\/127\.0\.0\.1:\d+\/[\da-f-]{36}\n$/,
  /^For help, see: https:\/\/nodejs\.org\/.*\n$/,
  /^Debugger attached\.\n$/,
  /^Waiting for the debugger to disconnect\.\.\.\n$/,
];
const BEGINNINGS = [
  'Debugger listening on ws://',
  'Debugger ending on ws://',
  'For help, see: https://',
  'Debugger attached.',
  'Waiting for the d',
];

/** Takes what Node itself prints about being debugged out of a program's output. */
export class ChatterFilter {
  #line = '';

  /** @returns what is the program's own; the beginning of a line that may be Node's waits. */
  push(text: string): string {
    let own = '';
    for (const line of (this.#line + text).split(/(?<=\n)/)) {
      this.#line = '';
      if (!line.endsWith('\n') && mayBecomeChatter(line)) this.#line = line;
      else if (!CHATTER.some((pattern) => pattern.test(line))) own += line;
    }
    return own;
  }

  /** What still waited. */
  end(): string {
    const rest = this.#line;
    this.#line = '';
    return rest;
  }
}

function mayBecomeChatter(line: string): boolean {
  return line.length < 200 && BEGINNINGS.some((beginning) => beginning.startsWith(line) || line.startsWith(beginning));
}
