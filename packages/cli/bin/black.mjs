#!/usr/bin/env node
// The door of `black`: plain JavaScript for any Node from 20 on. It finds the right Node, in a checkout a fresh bundle,
// turns on the compile cache and hands over to the bundle.
import { accessSync, constants, existsSync, mkdirSync, readFileSync, writeSync } from 'node:fs';

const args = process.argv.slice(2);
const here = new URL('./', import.meta.url);

if (args.length === 1 && (args[0] === '--version' || args[0] === '-v')) {
  const { version } = JSON.parse(readFileSync(new URL('../package.json', here), 'utf8'));
  writeSync(1, `${version}\n`);
} else {
  await start();
}

async function start() {
  const { fileURLToPath } = await import('node:url');
  if (Number.parseInt(process.versions.node, 10) < 24) {
    const { bundledNode, chooseNode } = await import('./bundled-node.mjs');
    const choice = chooseNode(process.versions.node, bundledNode(import.meta.url));
    if (choice.run === 'nowhere') return fail(choice.message);
    if (choice.run === 'there') {
      const { relay } = await import('./relay.mjs');
      return relay(choice.node, [fileURLToPath(import.meta.url), ...args]);
    }
  } else if (process.env.BLACK_RELAYED) {
    const { followRelay } = await import('./relay.mjs');
    followRelay();
  }
  const dist = fileURLToPath(new URL('../dist/', here));
  const bundle = new URL('../dist/main.mjs', here);
  const root = fileURLToPath(new URL('../../../', here));
  if (existsSync(`${root}scripts/build.ts`)) {
    const { refreshBundle } = await import('./fresh-bundle.mjs');
    const problem = await refreshBundle(root, fileURLToPath(bundle));
    if (problem) return fail(problem);
  } else if (!existsSync(bundle)) {
    return fail('black is incomplete: its program is missing. Install the package again.');
  }
  await enableCompileCache(dist);
  const { main } = await import(bundle.href);
  process.exitCode = await main(args);
}

/**
 * V8 keeps compiled code beside the bundle, or below the user's cache folder where that cannot be written.
 *
 * @param {string} dist
 */
async function enableCompileCache(dist) {
  const { default: nodeModule } = await import('node:module');
  const home = process.env.XDG_CACHE_HOME || (process.env.HOME && `${process.env.HOME}/.cache`);
  for (const folder of [`${dist}cache`, home && `${home}/black-ide/compile-cache`]) {
    if (folder && isWritable(folder)) {
      nodeModule.enableCompileCache(folder);
      return;
    }
  }
}

/**
 * Whether a folder can be made and written to. A start without a compile cache is slower and nothing else, so the reason
 * does not matter.
 *
 * @param {string} folder
 */
function isWritable(folder) {
  try {
    mkdirSync(folder, { recursive: true });
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** @param {string} message */
function fail(message) {
  writeSync(2, `${message}\n`);
  process.exitCode = 1;
}
