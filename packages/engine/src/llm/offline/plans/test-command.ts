/** How a folder's tests are run. */
export interface TestCommand {
  command: string;
  /** What says so, e.g. `package.json`. */
  because: string;
}

/** Files that tell how tests run; those marked are read, the others tell by being there. */
const READ = [
  'package.json',
  'Makefile',
  'makefile',
  'GNUmakefile',
  'composer.json',
  'pyproject.toml',
  'setup.cfg',
  'tox.ini',
  'deno.json',
  'pubspec.yaml',
  'justfile',
  'Justfile',
];

/** The files of a folder that are worth reading to find its test command. */
export function manifestsToRead(names: readonly string[]): string[] {
  return READ.filter((name) => names.includes(name));
}

/**
 * The commands that run a folder's tests, the likeliest first.
 * @param names what is in the folder; folders end in `/`.
 * @param texts the text of the files that were read, by name.
 */
export function testCommands(names: readonly string[], texts: ReadonlyMap<string, string>): TestCommand[] {
  const has = (name: string) => names.includes(name);
  const text = (name: string) => texts.get(name) ?? '';
  const found: TestCommand[] = [];
  const add = (command: string, because: string) => found.push({ command, because });

  const script = packageScript(text('package.json'));
  if (script.test && !/no test specified/i.test(script.test)) add(`${packageRunner(has)} test`, 'package.json');
  else if (script.runner) add(script.runner, 'package.json');
  if (has('deno.json') || has('deno.jsonc'))
    add(/"test"\s*:/.test(text('deno.json')) ? 'deno task test' : 'deno test', 'deno.json');
  if (has('go.mod')) add('go test ./...', 'go.mod');
  if (has('Cargo.toml')) add('cargo test', 'Cargo.toml');
  const python = pythonReason(names, texts);
  if (python) add('python3 -m pytest', python);
  else if (has('manage.py')) add('python3 manage.py test', 'manage.py');
  for (const name of ['Makefile', 'makefile', 'GNUmakefile'])
    if (/^(?:[\w.-]+ )*test(?: [\w.-]+)*\s*:(?!=)/m.test(text(name))) add('make test', name);
  for (const name of ['justfile', 'Justfile']) if (/^test\b[^:=]*:(?!=)/m.test(text(name))) add('just test', name);
  if (has('pom.xml')) add(has('mvnw') ? './mvnw test' : 'mvn test', 'pom.xml');
  if (has('gradlew')) add('./gradlew test', 'gradlew');
  else if (has('build.gradle') || has('build.gradle.kts'))
    add('gradle test', has('build.gradle') ? 'build.gradle' : 'build.gradle.kts');
  if (/"test"\s*:/.test(text('composer.json'))) add('composer test', 'composer.json');
  else if (has('phpunit.xml') || has('phpunit.xml.dist')) add('vendor/bin/phpunit', 'phpunit.xml');
  if (has('Gemfile') && has('spec/')) add('bundle exec rspec', 'Gemfile and spec/');
  else if (has('Rakefile') && has('test/')) add('bundle exec rake test', 'Rakefile');
  if (has('mix.exs')) add('mix test', 'mix.exs');
  const dotnet = names.find((name) => /\.(?:sln|slnx|csproj|fsproj)$/.test(name));
  if (dotnet) add('dotnet test', dotnet);
  if (has('pubspec.yaml'))
    add(/^\s*flutter\s*:/m.test(text('pubspec.yaml')) ? 'flutter test' : 'dart test', 'pubspec.yaml');
  if (has('Package.swift')) add('swift test', 'Package.swift');
  if (has('build.zig')) add('zig build test', 'build.zig');
  return found.filter((each, at) => found.findIndex((other) => other.command === each.command) === at);
}

/** The same command for one file or folder, where the tool behind it takes a path; undefined where that is not sure. */
export function narrowed(command: string, path: string, manifest: string): string | undefined {
  if (!/^[\p{L}\p{N}_./@-]+$/u.test(path) || /^-|^\/|(?:^|\/)\.\.(?:\/|$)/.test(path)) return undefined;
  if (command === 'python3 -m pytest') return `${command} ${path}`;
  if (command === 'go test ./...')
    return `go test ./${path.replace(/\/?[^/]*\.go$/, '').replace(/\/+$/, '')}`.replace(/\.\/$/, '.');
  if (command === 'bundle exec rspec' || command === 'mix test' || command === 'deno test') return `${command} ${path}`;
  const script = packageScript(manifest).test ?? '';
  // Node's own runner takes files and patterns, no folders.
  if (/node --test/.test(script) && !/\.\w+$/.test(path)) return undefined;
  if (/ test$/.test(command) && /(?:vitest|jest|mocha|ava|tap|node --test)[^&|;]*$/.test(script)) {
    return command.startsWith('npm') ? `${command} -- ${path}` : `${command} ${path}`;
  }
  // Any other script is handed the path too; whether it takes one, it must say itself.
  if (script && / test$/.test(command))
    return command.startsWith('npm') ? `${command} -- ${path}` : `${command} ${path}`;
  return undefined;
}

function packageRunner(has: (name: string) => boolean): string {
  if (has('pnpm-lock.yaml')) return 'pnpm';
  if (has('yarn.lock')) return 'yarn';
  if (has('bun.lock') || has('bun.lockb')) return 'bun run';
  return 'npm';
}

function packageScript(text: string): { test?: string; runner?: string } {
  let manifest: unknown;
  try {
    manifest = JSON.parse(text);
  } catch {
    // A manifest that is cut or broken still shows its script in its own line.
    const found = /"test"\s*:\s*"((?:[^"\\]|\\.)*)"/.exec(text);
    return found ? { test: found[1]! } : {};
  }
  const { scripts, devDependencies, dependencies } = (manifest ?? {}) as Record<
    string,
    Record<string, unknown> | undefined
  >;
  if (typeof scripts?.test === 'string') return { test: scripts.test };
  const installed = { ...dependencies, ...devDependencies };
  if ('vitest' in installed) return { runner: 'npx vitest run' };
  if ('jest' in installed) return { runner: 'npx jest' };
  return {};
}

function pythonReason(names: readonly string[], texts: ReadonlyMap<string, string>): string | undefined {
  const direct = ['pytest.ini', 'conftest.py', 'tox.ini'].find((name) => names.includes(name));
  if (direct) return direct;
  for (const name of ['pyproject.toml', 'setup.cfg']) if (/pytest/.test(texts.get(name) ?? '')) return name;
  const project = ['pyproject.toml', 'setup.py', 'setup.cfg', 'requirements.txt'].find((name) => names.includes(name));
  if (project && (names.includes('tests/') || names.includes('test/'))) return project;
  return names.some((name) => /^test_\w+\.py$/.test(name))
    ? names.find((name) => /^test_\w+\.py$/.test(name))
    : undefined;
}
