import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, extname, join, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Plugin } from 'esbuild';

const RELATIVE = /(?<!\bnew Worker\(\s*)new URL\(\s*(['"`])(\.\.?\/[^'"`$]+)\1\s*,\s*import\.meta\.url\s*,?\s*\)/g;
const WORKER = /\bnew Worker\(\s*new URL\(\s*(['"`])(\.\.?\/[^'"`$]+\.ts)\1\s*,\s*import\.meta\.url\s*,?\s*\)/g;
const RESOLVED =
  /\b(import\.meta|createRequire\(import\.meta\.url\)|require)\.resolve\(\s*(['"`])([^'"`$]+\.wasm)\2\s*,?\s*\)/g;

/** Files to be laid beside the bundle: path below the output folder → content. */
export type Assets = Map<string, Uint8Array>;

/** Bundles the program of a worker thread and returns its name below the output folder. */
export type BundleWorker = (path: string) => Promise<string>;

/**
 * Lets sources read files that lie beside them, bundled or not. Two ways of naming such a file are understood, each with
 * a literal: `new URL('../prompts/agent.md', import.meta.url)` (a folder too, written with a slash at its end) and
 * `import.meta.resolve('package/file.wasm')` or `require.resolve('package/file.wasm')`. The bundle gets the same
 * expression over `assets/NAME-HASH`, and the content is put into `assets`. Names carry a hash of the content, so that a
 * running program never meets the files of a later build.
 *
 * `new Worker(new URL('./x.ts', import.meta.url)` names the program of a worker thread: it is bundled on its own.
 */
export function assetsPlugin(assets: Assets, bundleWorker: BundleWorker): Plugin {
  return {
    name: 'assets',
    setup(build) {
      build.onLoad({ filter: /[\\/]src[\\/].*\.tsx?$/ }, async ({ path }) => ({
        contents: await rewriteWorkers(rewriteAssets(readFileSync(path, 'utf8'), path, assets), path, bundleWorker),
        loader: path.endsWith('x') ? 'tsx' : 'ts',
      }));
    },
  };
}

/** Replaces the programs of worker threads by their bundles; see {@link assetsPlugin}. */
async function rewriteWorkers(source: string, path: string, bundleWorker: BundleWorker): Promise<string> {
  const names = new Map<string, string>();
  for (const [, , target = ''] of source.matchAll(WORKER)) {
    names.set(target, await bundleWorker(fileURLToPath(new URL(target, pathToFileURL(path)))));
  }
  return source.replace(
    WORKER,
    (_whole, _quote, target: string) => `new Worker(new URL('./${names.get(target)}', import.meta.url)`,
  );
}

/** Replaces the asset expressions of one source text; see {@link assetsPlugin}. Throws when a named file is not there. */
export function rewriteAssets(source: string, path: string, assets: Assets): string {
  const relative = source.replace(RELATIVE, (_whole, _quote, target: string) => {
    if (/\.[cm]?[jt]sx?$/.test(target)) throw new Error(`${path}: code cannot be an asset: ${target}`);
    return asset(fileURLToPath(new URL(target, pathToFileURL(path))), assets);
  });
  const resolved = relative.replace(RESOLVED, (_whole, resolver: string, _quote, target: string) => {
    const url = asset(createRequire(path).resolve(target), assets);
    return resolver === 'import.meta' ? `${url}.href` : `assetPath(${url})`;
  });
  return resolved.includes('assetPath(new URL(')
    ? `import { fileURLToPath as assetPath } from 'node:url';\n${resolved}`
    : resolved;
}

/** Takes a file or a folder in and returns the expression that finds it beside the bundle. */
function asset(from: string, assets: Assets): string {
  const files = statSync(from).isDirectory()
    ? readdirSync(from, { recursive: true, encoding: 'utf8' })
        .sort()
        .filter((name) => statSync(join(from, name)).isFile())
        .map((name) => ({ below: `/${name.split(sep).join('/')}`, content: readFileSync(join(from, name)) }))
    : [{ below: '', content: readFileSync(from) }];
  const hash = createHash('sha256');
  for (const { below, content } of files) hash.update(below).update(content);
  const extension = files[0]?.below === '' ? extname(from) : '';
  const name = `assets/${basename(from, extension)}-${hash.digest('hex').slice(0, 8)}${extension}`;
  for (const { below, content } of files) assets.set(name + below, content);
  return `new URL('./${name}${extension ? '' : '/'}', import.meta.url)`;
}
