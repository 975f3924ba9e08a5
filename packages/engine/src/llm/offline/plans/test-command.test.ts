import { describe, expect, it } from 'vitest';
import { narrowed, testCommands } from './test-command.ts';

function first(names: string[], texts: Record<string, string> = {}): string | undefined {
  return testCommands(names, new Map(Object.entries(texts)))[0]?.command;
}

const script = (test: string) => JSON.stringify({ scripts: { test } });

describe('the test command', () => {
  it.each<[names: string[], texts: Record<string, string>, command: string | undefined]>([
    [['package.json'], { 'package.json': script('vitest run') }, 'npm test'],
    [['package.json', 'pnpm-lock.yaml'], { 'package.json': script('jest') }, 'pnpm test'],
    [['package.json', 'yarn.lock'], { 'package.json': script('jest') }, 'yarn test'],
    [['package.json'], { 'package.json': script('echo "Error: no test specified" && exit 1') }, undefined],
    [['package.json'], { 'package.json': '{"devDependencies":{"vitest":"1"}}' }, 'npx vitest run'],
    [['package.json'], { 'package.json': '{ "scripts": { "test": "node --test" }, // cut' }, 'npm test'],
    [['package.json'], { 'package.json': 'null' }, undefined],
    [['package.json'], {}, undefined],
    [['go.mod', 'main.go'], {}, 'go test ./...'],
    [['Cargo.toml'], {}, 'cargo test'],
    [['pyproject.toml'], { 'pyproject.toml': '[tool.pytest.ini_options]' }, 'python3 -m pytest'],
    [['setup.py', 'tests/'], {}, 'python3 -m pytest'],
    [['test_a.py'], {}, 'python3 -m pytest'],
    [['Makefile'], { Makefile: 'all: build\n\ntest: build\n\tgo run x' }, 'make test'],
    [['Makefile'], { Makefile: 'test := 1' }, undefined],
    [['pom.xml', 'mvnw'], {}, './mvnw test'],
    [['build.gradle.kts', 'gradlew'], {}, './gradlew test'],
    [['Gemfile', 'spec/'], {}, 'bundle exec rspec'],
    [['mix.exs'], {}, 'mix test'],
    [['App.sln'], {}, 'dotnet test'],
    [['README.md', 'src/'], {}, undefined],
  ])('IDE-28 %j', (names, texts, command) => {
    expect(first(names, texts)).toBe(command);
  });

  it('IDE-28 names the others too, each once', () => {
    const all = testCommands(
      ['package.json', 'Makefile', 'go.mod'],
      new Map([
        ['package.json', script('x')],
        ['Makefile', 'test:\n'],
      ]),
    );
    expect(all.map((each) => each.command)).toEqual(['npm test', 'go test ./...', 'make test']);
  });

  it('IDE-28 narrows only where the runner takes a path, and only by plain paths', () => {
    expect(narrowed('npm test', 'test/a.test.ts', script('vitest run'))).toBe('npm test -- test/a.test.ts');
    expect(narrowed('npm test', 'test', script('node --test'))).toBeUndefined();
    expect(narrowed('npm test', 'packages/a', script('node scripts/test.mjs'))).toBe('npm test -- packages/a');
    expect(narrowed('npm test', '../a', script('node scripts/test.mjs'))).toBeUndefined();
    expect(narrowed('make test', 'a.ts', '')).toBeUndefined();
    expect(narrowed('go test ./...', 'pkg/store/a_test.go', '')).toBe('go test ./pkg/store');
    expect(narrowed('python3 -m pytest', 'tests/a.py', '')).toBe('python3 -m pytest tests/a.py');
    expect(narrowed('python3 -m pytest', '--version', '')).toBeUndefined();
    expect(narrowed('python3 -m pytest', 'a;b', '')).toBeUndefined();
  });
});
