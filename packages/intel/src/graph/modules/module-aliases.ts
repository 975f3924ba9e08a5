import { folderOf, joinPath, nameOf } from './path-index.ts';

/** A way in which imports name files that their paths alone don't tell: a package's name, a path mapping, a module path. */
export interface ModuleAlias {
  /** In force for files below this folder; `` for all. */
  folder: string;
  /** What imports write; one `*` stands for anything. */
  pattern: string;
  /** Paths from the root, endings may lack; `*` is what the pattern's stands for. The first that is there counts. */
  targets: string[];
}

/** Whether a file says something of module names: its text is worth handing to `moduleAliasesOf`. */
export function isModuleConfig(path: string): boolean {
  const name = nameOf(path);
  return READERS.has(name) || /^(ts|js)config\..*\.?json$/.test(name);
}

/**
 * The module names that a file declares: package.json, tsconfig.json and the like, go.mod, composer.json, Cargo.toml,
 * pubspec.yaml. Text that cannot be read declares none.
 */
export function moduleAliasesOf(path: string, text: string): ModuleAlias[] {
  const read = READERS.get(nameOf(path)) ?? ofTsconfig;
  try {
    return read(folderOf(path), text);
  } catch {
    // A half-written or wrong file is no reason to fail: imports that need it stay unresolved.
    return [];
  }
}

const READERS: ReadonlyMap<string, (folder: string, text: string) => ModuleAlias[]> = new Map([
  ['package.json', ofPackageJson],
  ['tsconfig.json', ofTsconfig],
  ['jsconfig.json', ofTsconfig],
  ['go.mod', ofGoMod],
  ['composer.json', ofComposer],
  ['Cargo.toml', ofCargo],
  ['pubspec.yaml', ofPubspec],
]);

const ENTRIES = ['src/index', 'index', 'src/main', 'lib/index', 'src/mod', 'mod'];
/** Folders of built files; what was built mostly lies at the same place in the sources. */
const BUILT = /^(\.\/)?(dist|build|lib|out|esm|cjs|es)(\/(esm|cjs|es|types|src))?\//;

function ofPackageJson(folder: string, text: string): ModuleAlias[] {
  const manifest = recordOf(JSON.parse(text));
  const name = manifest.name;
  const aliases: ModuleAlias[] = [];
  for (const [key, value] of Object.entries(recordOf(manifest.imports))) {
    aliases.push({ folder, pattern: key, targets: sourcesOf(folder, pathsIn(value)) });
  }
  if (typeof name !== 'string' || name === '') return aliases;
  const exported = isSubpaths(manifest.exports) ? manifest.exports : { '.': manifest.exports };
  for (const [key, value] of Object.entries(exported)) {
    if (key === '.') continue;
    aliases.push({ folder: '', pattern: joinName(name, key), targets: sourcesOf(folder, pathsIn(value)) });
  }
  const main = [exported['.'], manifest.source, manifest.types, manifest.typings, manifest.module, manifest.main];
  const entries = [...main.flatMap(pathsIn), ...ENTRIES];
  aliases.push({ folder: '', pattern: name, targets: sourcesOf(folder, entries) });
  aliases.push({ folder: '', pattern: `${name}/*`, targets: sourcesOf(folder, ['*', 'src/*']) });
  return aliases;
}

function ofTsconfig(folder: string, text: string): ModuleAlias[] {
  const options = recordOf(recordOf(JSON.parse(withoutComments(text))).compilerOptions);
  const base = typeof options.baseUrl === 'string' ? joinPath(folder, options.baseUrl) : undefined;
  const aliases: ModuleAlias[] = [];
  for (const [pattern, targets] of Object.entries(recordOf(options.paths))) {
    aliases.push({ folder, pattern, targets: sourcesOf(base ?? folder, pathsIn(targets)) });
  }
  if (base !== undefined) aliases.push({ folder, pattern: '*', targets: sourcesOf(base, ['*']) });
  return aliases;
}

function ofGoMod(folder: string, text: string): ModuleAlias[] {
  const name = /^\s*module\s+"?([^\s"]+)"?/m.exec(text)?.[1];
  if (name === undefined) return [];
  return [
    { folder: '', pattern: name, targets: [folder] },
    { folder: '', pattern: `${name}/*`, targets: sourcesOf(folder, ['*']) },
  ];
}

function ofComposer(folder: string, text: string): ModuleAlias[] {
  const manifest = recordOf(JSON.parse(text));
  const aliases: ModuleAlias[] = [];
  for (const section of [manifest.autoload, manifest['autoload-dev']]) {
    for (const [prefix, paths] of Object.entries(recordOf(recordOf(section)['psr-4']))) {
      const targets = pathsIn(paths).map((path) => `${path.replace(/\/+$/, '')}/*`);
      aliases.push({ folder: '', pattern: `${prefix}*`, targets: sourcesOf(folder, targets) });
    }
  }
  return aliases;
}

function ofCargo(folder: string, text: string): ModuleAlias[] {
  const section = /^\[package\]([^[]*)/m.exec(text)?.[1] ?? '';
  const name = /^\s*name\s*=\s*"([^"]+)"/m.exec(section)?.[1];
  if (name === undefined) return [];
  return [
    { folder: '', pattern: name.replaceAll('-', '_'), targets: sourcesOf(folder, ['src/lib.rs', 'src/main.rs']) },
  ];
}

function ofPubspec(folder: string, text: string): ModuleAlias[] {
  const name = /^name:\s*["']?([A-Za-z0-9_]+)/m.exec(text)?.[1];
  if (name === undefined) return [];
  return [{ folder: '', pattern: `package:${name}/*`, targets: sourcesOf(folder, ['lib/*']) }];
}

/** Paths below a folder, each followed by where its source may lie when it names a built file. */
function sourcesOf(folder: string, paths: readonly string[]): string[] {
  const found = new Set<string>();
  for (const path of paths) {
    for (const each of [path, ...(BUILT.test(path) ? [path.replace(BUILT, 'src/'), path.replace(BUILT, '')] : [])]) {
      const joined = joinPath(folder, each);
      if (joined !== undefined) found.add(joined);
    }
  }
  return [...found];
}

/** Every path in a value of `exports`, whatever its conditions. */
function pathsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(pathsIn);
  return Object.values(recordOf(value)).flatMap(pathsIn);
}

function isSubpaths(value: unknown): value is Record<string, unknown> {
  return Object.keys(recordOf(value)).some((key) => key.startsWith('.'));
}

function joinName(name: string, subpath: string): string {
  return `${name}/${subpath.replace(/^\.\//, '')}`;
}

function recordOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}

/** JSON as tsconfig.json has it: comments and commas before an end are taken out, strings are kept. */
function withoutComments(text: string): string {
  return text
    .replace(/("(?:[^"\\]|\\.)*")|\/\/[^\n]*|\/\*[\s\S]*?\*\//g, (_, string: string | undefined) => string ?? '')
    .replace(/("(?:[^"\\]|\\.)*")|,(?=\s*[}\]])/g, (_, string: string | undefined) => string ?? '')
    .replace(/^\uFEFF/, '');
}
