// Brings the trees and peers of bench/intel that npm, pip and apt can bring, and says how to get the others. What is there stays.
import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ORACLE_TREES, oracleFile, PEERS, REPOSITORIES, TREES } from './lib/trees.ts';

/** What of a tree its oracle knows; the whole would take other packages' types. */
const TYPESCRIPT_PROJECTS: Record<string, object> = {
  playwright: {
    extends: './tsconfig.json',
    include: ['playwright-core/src', 'utils', 'isomorphic', 'protocol/src', 'injected/src', 'playwright/src'].map(
      (folder) => `packages/${folder}`,
    ),
    exclude: ['packages/*/lib', 'packages/playwright-core/src/tools/skills'],
  },
  typeorm: { extends: './tsconfig.json', include: ['src'] },
  zod: {
    extends: './.configs/tsconfig.base.json',
    compilerOptions: {
      module: 'nodenext',
      moduleResolution: 'nodenext',
      customConditions: ['@zod/source'],
      noEmit: true,
    },
    include: ['packages/zod/src/**/*.ts'],
  },
};

/** What the Python trees import: in a place of its own, where none of them is installed itself. */
const PYTHON_PACKAGES =
  'werkzeug click jinja2 itsdangerous blinker urllib3 certifi idna charset-normalizer httpcore anyio h11 asgiref sqlparse pytest';

const PYTHON = join(PEERS, 'python');
const scratch = mkdtempSync(join(tmpdir(), 'black-bench-'));
try {
  mkdirSync(TREES, { recursive: true });
  bring('webpack', npmPackage('webpack@5'));
  bring('django', wheel('django'));
  bring('go', debianSources('^golang-[0-9.]+-src$', 'usr/share', 'go-'));
  bring('python-stdlib', debianSources('^libpython3[.0-9]*-stdlib$', 'usr/lib', 'python3.'));
  peer('optave', ['@optave/codegraph@3.11.2']);
  peer('scip', ['@sourcegraph/scip-typescript@0.4.0', '@sourcegraph/scip-python@0.6.6']);
  peer('types', ['@types/node@22', '@types/react@19', '@types/react-dom@19', '@types/ws', '@tsconfig/node20', 'tslib']);
  pythonPackages();
  for (const tree of ORACLE_TREES['scip-typescript']) oracle(tree, indexTypeScript);
  for (const tree of ORACLE_TREES['scip-python']) oracle(tree, indexPython);
  for (const [name, repository] of Object.entries(REPOSITORIES)) {
    if (existsSync(join(TREES, name))) continue;
    console.log(`missing: git clone --depth 1 https://github.com/${repository} ${join(TREES, name)}`);
  }
  console.log('Run it again when repositories were added: their oracles are made then.');
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

function bring(name: string, how: (folder: string) => void): void {
  const folder = join(TREES, name);
  if (existsSync(folder)) return;
  attempt(name, () => {
    const made = mkdtempSync(join(scratch, 'tree-'));
    how(made);
    cpSync(made, folder, { recursive: true });
  });
}

function npmPackage(spec: string): (folder: string) => void {
  return (folder) => {
    const [archive] = run('npm', ['pack', '--silent', spec], scratch).trim().split('\n');
    run('tar', ['xzf', join(scratch, archive!), '-C', folder, '--strip-components=1'], scratch);
  };
}

function wheel(name: string): (folder: string) => void {
  return (folder) => {
    const wheels = mkdtempSync(join(scratch, 'wheel-'));
    run('python3', ['-m', 'pip', 'download', '--quiet', '--no-deps', '--dest', wheels, name], scratch);
    run('python3', ['-m', 'zipfile', '-e', join(wheels, readdirSync(wheels)[0]!), folder], scratch);
  };
}

/** The files of a Debian package, without installing it: those of the folder below `parent` whose name begins so. */
function debianSources(pattern: string, parent: string, prefix: string): (folder: string) => void {
  return (folder) => {
    const found = run('apt-cache', ['search', '--names-only', pattern], scratch).trim().split('\n').sort();
    const name = found.at(-1)?.split(' ')[0];
    if (!name) throw new Error(`apt knows no package ${pattern}`);
    const packages = mkdtempSync(join(scratch, 'deb-'));
    run('apt-get', ['download', name], packages);
    run('dpkg-deb', ['--extract', readdirSync(packages)[0]!, 'content'], packages);
    const above = join(packages, 'content', parent);
    const sources = readdirSync(above).find((entry) => entry.startsWith(prefix));
    cpSync(join(above, sources!), folder, { recursive: true });
  };
}

function peer(name: string, packages: string[]): void {
  const folder = join(PEERS, name);
  if (existsSync(join(folder, 'node_modules'))) return;
  attempt(name, () => {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
    run('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', ...packages], folder);
    if (name === 'optave') compile(folder);
  });
}

/** Compiles better-sqlite3, for minutes, with the headers of the very Node that will run it: npm would take those of its own. */
function compile(folder: string): void {
  const home = join(process.execPath, '../..');
  const npm = realpathSync(run('which', ['npm'], folder).trim());
  run(process.execPath, [npm, 'rebuild', '--foreground-scripts', '--no-ignore-scripts'], folder, {
    PATH: `${join(home, 'bin')}:${process.env.PATH}`,
    npm_config_nodedir: home,
  });
}

function pythonPackages(): void {
  if (existsSync(PYTHON)) return;
  attempt('python', () => {
    run('python3', ['-m', 'venv', PYTHON], scratch);
    run(join(PYTHON, 'bin', 'pip'), ['install', '--quiet', ...PYTHON_PACKAGES.split(' ')], scratch);
  });
}

/** Indexes a copy: an indexer wants configuration and types beside the sources, which must not be in the tree that is measured. */
function oracle(tree: string, index: (copy: string, output: string, tree: string) => void): void {
  const output = oracleFile(tree);
  if (existsSync(output) || !existsSync(join(TREES, tree))) return;
  attempt(`oracle of ${tree}`, () => {
    mkdirSync(join(output, '..'), { recursive: true });
    const copy = join(scratch, `oracle-${tree}`);
    cpSync(join(TREES, tree), copy, { recursive: true });
    index(copy, output, tree);
  });
}

function indexTypeScript(copy: string, output: string, tree: string): void {
  const project = TYPESCRIPT_PROJECTS[tree]! as { compilerOptions?: object };
  const compilerOptions = { ...project.compilerOptions, types: ['node'] };
  const file = join(copy, 'tsconfig.oracle.json');
  writeFileSync(file, JSON.stringify({ ...project, compilerOptions }));
  symlinkSync(join(PEERS, 'types', 'node_modules'), join(copy, 'node_modules'));
  const indexer = join(PEERS, 'scip', 'node_modules', '.bin', 'scip-typescript');
  run(indexer, ['index', '--no-progress-bar', '--output', output, file], copy);
}

function indexPython(copy: string, output: string, tree: string): void {
  // Its settings leave the tests out, or are of a form that the indexer can't read.
  rmSync(join(copy, 'pyproject.toml'), { force: true });
  writeFileSync(join(copy, 'pyrightconfig.json'), JSON.stringify({ extraPaths: ['src'] }));
  const indexer = join(PEERS, 'scip', 'node_modules', '.bin', 'scip-python');
  run(indexer, ['index', '--quiet', '--project-name', tree, '--project-version', '1', '--output', output], copy, {
    PATH: `${join(PYTHON, 'bin')}:${process.env.PATH}`,
    VIRTUAL_ENV: PYTHON,
  });
}

function attempt(what: string, work: () => void): void {
  console.log(`bringing ${what} …`);
  try {
    work();
  } catch (error) {
    console.log(`  not there: ${String(error).split('\n').slice(0, 3).join(' ')}`);
  }
}

function run(program: string, args: string[], cwd: string, more: NodeJS.ProcessEnv = {}): string {
  const env = { ...process.env, NODE_OPTIONS: '--max-old-space-size=6000', ...more };
  return execFileSync(program, args, { cwd, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}
