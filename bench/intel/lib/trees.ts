import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, extname, join, relative } from 'node:path';
import type { Skipped } from '../../lib/row.ts';

/** Where the trees and peers lie that are measured: brought in, never committed. */
export const TREES = process.env.BLACK_BENCH_TREES ?? join(tmpdir(), 'intel-trees');
export const PEERS = join(TREES, 'peers');

/** Public repositories that are measured: a checkout of each belongs into `TREES` under its name here. */
export const REPOSITORIES: Record<string, string> = {
  playwright: 'microsoft/playwright',
  typeorm: 'typeorm/typeorm',
  zod: 'colinhacks/zod',
  excalidraw: 'excalidraw/excalidraw',
  requests: 'psf/requests',
  flask: 'pallets/flask',
  httpx: 'encode/httpx',
  tokio: 'tokio-rs/tokio',
  spring: 'spring-projects/spring-framework',
  redis: 'redis/redis',
  fmt: 'fmtlib/fmt',
  'newtonsoft-json': 'JamesNK/Newtonsoft.Json',
  jekyll: 'jekyll/jekyll',
  laravel: 'laravel/framework',
  okhttp: 'square/okhttp',
  alamofire: 'Alamofire/Alamofire',
  bloc: 'felangel/bloc',
  cats: 'typelevel/cats',
  kong: 'Kong/kong',
  bats: 'bats-core/bats-core',
};

/** One tree for each language, and the endings of the files that are measured in it. */
export const LANGUAGE_TREES: { language: string; tree: string; endings: string[] }[] = [
  { language: 'TypeScript', tree: 'playwright', endings: ['.ts'] },
  { language: 'TSX', tree: 'excalidraw', endings: ['.tsx'] },
  { language: 'JavaScript', tree: 'webpack', endings: ['.js'] },
  { language: 'Python', tree: 'django', endings: ['.py'] },
  { language: 'Go', tree: 'go', endings: ['.go'] },
  { language: 'Rust', tree: 'tokio', endings: ['.rs'] },
  { language: 'Java', tree: 'spring', endings: ['.java'] },
  { language: 'C', tree: 'redis', endings: ['.c'] },
  { language: 'C++', tree: 'fmt', endings: ['.cc'] },
  { language: 'C#', tree: 'newtonsoft-json', endings: ['.cs'] },
  { language: 'Ruby', tree: 'jekyll', endings: ['.rb'] },
  { language: 'PHP', tree: 'laravel', endings: ['.php'] },
  { language: 'Kotlin', tree: 'okhttp', endings: ['.kt'] },
  { language: 'Swift', tree: 'alamofire', endings: ['.swift'] },
  { language: 'Dart', tree: 'bloc', endings: ['.dart'] },
  { language: 'Scala', tree: 'cats', endings: ['.scala'] },
  { language: 'Lua', tree: 'kong', endings: ['.lua'] },
  { language: 'Bash', tree: 'bats', endings: ['.bash', '.sh'] },
];

/** Trees of which a type checker's index is at hand as oracle, by the indexer that makes it. */
export const ORACLE_TREES: Record<'scip-typescript' | 'scip-python', string[]> = {
  'scip-typescript': ['playwright', 'typeorm', 'zod'],
  'scip-python': ['django', 'requests', 'flask', 'httpx'],
};

export function oracleFile(tree: string): string {
  return join(TREES, 'scip', `${tree}.scip`);
}

/** The folder of a tree, or a row that says how to get it. */
export function findTree(tree: string, what: string): string | Skipped {
  const folder = join(TREES, tree);
  return existsSync(folder) ? folder : { what, skipped: `skipped: no ${folder}; see node bench/intel/get-trees.ts` };
}

/** Nothing but the files with some endings, up to a size together: a copy, removed when it is disposed. */
export class TreeCopy implements Disposable {
  readonly #base = mkdtempSync(join(tmpdir(), 'black-bench-'));
  readonly root = join(this.#base, 'tree');
  /** A home for what is stored of it. */
  readonly home = join(this.#base, 'home');
  /** Copied files, from the root. */
  readonly files: string[] = [];
  bytes = 0;

  /** @param endings All files when undefined. */
  constructor(from: string, { endings, maxBytes = Infinity }: { endings?: readonly string[]; maxBytes?: number } = {}) {
    for (const folder of [this.root, this.home]) mkdirSync(folder);
    for (const path of filesBelow(from)) {
      if (endings !== undefined && !endings.includes(extname(path))) continue;
      const { size } = statSync(path);
      // Larger files are no source that somebody wrote, and neither side parses them.
      if (endings !== undefined && size > 400_000) continue;
      if (this.bytes + size > maxBytes) break;
      const name = relative(from, path);
      mkdirSync(dirname(join(this.root, name)), { recursive: true });
      copyFileSync(path, join(this.root, name));
      this.files.push(name);
      this.bytes += size;
    }
  }

  [Symbol.dispose](): void {
    rmSync(this.#base, { recursive: true, force: true });
  }
}

/** In a fixed order, without what no index looks into. */
function* filesBelow(folder: string): Generator<string> {
  const entries = readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const entry of entries) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      if (entry.name !== 'node_modules' && entry.name !== '.git') yield* filesBelow(path);
    } else if (entry.isFile()) {
      yield path;
    }
  }
}
