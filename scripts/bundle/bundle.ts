import { randomBytes } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, relative, sep } from 'node:path';
import { type BuildOptions, build, type OutputFile } from 'esbuild';
import { sourceStamp, stampLine } from '../../packages/cli/bin/fresh-bundle.mjs';
import { assetsPlugin } from './assets-plugin.ts';

/** Packages that carry a program file and are looked up in `node_modules` at run time. */
export const EXTERNAL = ['@vscode/ripgrep', '@napi-rs/keyring'];

const LIGHT_HEADERS = join(import.meta.dirname, '../../packages/engine/src/llm/light-headers.ts');
const MAIN = 'main.mjs';
const RETIRED_DAYS = 7;
const FILES_LINE = /\n\/\/# files (.+)\n/;

/** How the program and the programs of its worker threads are bundled. */
const OPTIONS = {
  outExtension: { '.js': '.mjs' },
  chunkNames: '[name]-[hash]',
  bundle: true,
  splitting: true,
  write: false,
  format: 'esm',
  platform: 'node',
  target: 'node22',
  external: EXTERNAL,
  // Its CommonJS form loads its parts in a way that no bundler can follow.
  alias: { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' },
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: 'none',
  sourcemap: 'external',
  // CommonJS packages ask for Node's own modules with `require`, which an ES module does not have.
  banner: {
    js: "import{createRequire as __bundleRequire}from'node:module';const require=__bundleRequire(import.meta.url);",
  },
  logLevel: 'warning',
} as const satisfies BuildOptions;

/** What a build wrote: the output folder and the paths below it, `main.mjs` last. */
export interface Bundle {
  folder: string;
  files: string[];
}

/**
 * Bundles `packages/cli/src/main.ts` and all that it imports into `packages/cli/dist`: ES modules, with what is imported
 * lazily in chunks of its own. Chunks and assets are named after their content, and `main.mjs` is put in place last, by a
 * rename, so that running programs and concurrent builds never see a half. Files that this build no longer needs stay
 * for a week, for the programs that still run from them.
 */
export async function bundle(root: string): Promise<Bundle> {
  const folder = join(root, 'packages/cli/dist');
  const stamp = sourceStamp(root);
  const outputs = new Map<string, Uint8Array>();
  const add = (files: readonly OutputFile[]) => {
    for (const file of files) outputs.set(relative(folder, file.path).split(sep).join('/'), file.contents);
  };
  const workers = new Map<string, Promise<string>>();
  const bundleWorker = (path: string): Promise<string> => {
    const known = workers.get(path) ?? makeWorker(path);
    workers.set(path, known);
    return known;
  };
  const plugins = [assetsPlugin(outputs, bundleWorker)];
  const makeWorker = async (path: string): Promise<string> => {
    const { outputFiles, metafile } = await build({
      ...OPTIONS,
      absWorkingDir: root,
      entryPoints: [path],
      entryNames: '[name]-[hash]',
      outdir: folder,
      metafile: true,
      plugins,
    });
    add(outputFiles);
    const entry = relative(root, path).split(sep).join('/');
    const [made = ''] = Object.entries(metafile.outputs).find(([, { entryPoint }]) => entryPoint === entry) ?? [];
    return basename(made);
  };
  const result = await build({
    ...OPTIONS,
    absWorkingDir: root,
    entryPoints: { main: 'packages/cli/src/main.ts' },
    outdir: folder,
    // Takes the place of the global class of that name; it says why itself.
    inject: [LIGHT_HEADERS],
    plugins,
  });
  add(result.outputFiles);
  const main = outputs.get(MAIN);
  const map = outputs.get(`${MAIN}.map`);
  if (!main || !map) throw new Error(`the build made no ${MAIN}`);
  outputs.delete(MAIN);
  outputs.delete(`${MAIN}.map`);
  const files = [...outputs.keys(), `${MAIN}.map`, MAIN];

  const before = filesOf(join(folder, MAIN));
  for (const [name, content] of outputs) if (!existsSync(join(folder, name))) replace(join(folder, name), content);
  replace(join(folder, `${MAIN}.map`), map);
  replace(join(folder, MAIN), `${Buffer.from(main)}\n//# files ${files.join(' ')}${stampLine(stamp)}`);
  prune(folder, new Set(files), before);
  return { folder, files };
}

function replace(file: string, content: string | Uint8Array): void {
  const temporary = `${file}.${randomBytes(4).toString('hex')}.tmp`;
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(temporary, content);
  renameSync(temporary, file);
}

/** The files of the build before, as its `main.mjs` tells them. */
function filesOf(main: string): string[] {
  if (!existsSync(main)) return [];
  return FILES_LINE.exec(readFileSync(main, 'utf8'))?.[1]?.split(' ') ?? [];
}

/** Dates what the build before used and this one does not as retired now, and removes what was retired long ago. */
function prune(folder: string, current: Set<string>, before: string[]): void {
  const now = new Date();
  const limit = now.getTime() - RETIRED_DAYS * 24 * 3600 * 1000;
  for (const name of before) {
    const path = join(folder, name);
    if (!current.has(name) && existsSync(path)) utimesSync(path, now, now);
  }
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const stat = statSync(join(folder, name), { throwIfNoEntry: false });
    if (!stat?.isFile() || current.has(name.split(sep).join('/'))) continue;
    if (stat.mtimeMs < limit) rmSync(join(folder, name), { force: true });
  }
}
