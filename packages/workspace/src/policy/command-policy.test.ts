import { afterEach, describe, expect, it } from 'vitest';
import { CommandPolicy, type CommandPolicyOptions } from './command-policy.ts';
import { exactPattern } from './command-text.ts';
import type { CommandContext } from './decision.ts';
import { ShellParser } from './shell/shell-parser.ts';

const place: CommandContext = { cwd: '/home/ann/app', home: '/home/ann' };
const made: CommandPolicy[] = [];

async function policy(options: CommandPolicyOptions = {}): Promise<CommandPolicy> {
  const created = await CommandPolicy.create(options);
  made.push(created);
  return created;
}

async function decide(command: string, options: CommandPolicyOptions = {}, context: Partial<CommandContext> = {}) {
  return (await policy(options)).decide(command, { ...place, ...context });
}

afterEach(() => {
  for (const created of made.splice(0)) created.dispose();
});

describe('precedence', () => {
  it('IDE-64 a hard deny beats everything the user allows', async () => {
    const decision = await decide('rm -rf /', { allow: ['^rm -rf /$', '.*'], deny: ['rm'] }, { autoApprove: true });
    expect(decision).toMatchObject({ decision: 'deny', stage: 'hard-deny', rule: 'remove-root-or-home' });
  });

  it('IDE-64 a deny pattern of the user beats an allow pattern', async () => {
    expect(await decide('git push', { allow: ['^git push$'], deny: ['push'] })).toMatchObject({
      decision: 'deny',
      stage: 'user-deny',
      rule: 'push',
    });
  });

  it('IDE-64 a deny pattern beats what is provably read-only, and auto-approval', async () => {
    expect(await decide('cat notes', { deny: ['^cat'] }, { autoApprove: true })).toMatchObject({ stage: 'user-deny' });
  });

  it('IDE-64 an allow pattern comes before read-only', async () => {
    expect(await decide('ls', { allow: ['^ls$'] })).toMatchObject({
      decision: 'allow',
      stage: 'user-allow',
      rule: '^ls$',
    });
    expect(await decide('ls')).toMatchObject({ decision: 'allow', stage: 'read-only' });
  });

  it('IDE-64 auto-approval turns a question into a yes, and is off by default', async () => {
    expect(await decide('npm install')).toMatchObject({ decision: 'ask', stage: 'ask' });
    expect(await decide('npm install', {}, { autoApprove: true })).toMatchObject({
      decision: 'allow',
      stage: 'auto-approve',
    });
  });

  it('IDE-62 the strictest part decides', async () => {
    const { decision, parts } = await decide('ls && npm publish; cat a', { deny: ['^npm publish'] });
    expect(decision).toBe('deny');
    expect(parts.map(({ text, decision: part }) => [text, part])).toEqual([
      ['ls', 'allow'],
      ['npm publish', 'deny'],
      ['cat a', 'allow'],
    ]);
  });
});

describe('deny patterns', () => {
  it.each([
    ['^git push', 'git -C . push origin main'],
    ['^git push', 'git --no-pager push'],
    ['^git push --force', 'git -c user.name=x --git-dir .git push --force'],
    ['^git push', '/usr/lib/git-core/git-push origin main'],
    ['^git push', '"$(git --exec-path)"/git-push origin'],
    ['^git push', 'env X=1 git -C "$D" -P push'],
    ['^git remote add', 'git -C a remote -v add x y'],
    ['^npm publish', 'npm --prefix x publish'],
    ['^npm publish$', 'npm --silent --prefix x publish'],
    ['^npm run deploy', 'npm run -s deploy'],
    ['^npm run deploy\\b', 'npm -w pkg run --if-present deploy -- --now'],
    ['^docker compose down', 'docker --context p compose -f x.yml down -v'],
    ['^docker compose', 'docker-compose up'],
    ['^kubectl delete', 'kubectl -n prod --context=x delete pod a'],
    ['^terraform apply', 'terraform -chdir=x apply'],
    ['^cargo publish', 'cargo +nightly publish'],
  ])('IDE-64 %s is not passed by with options before what is done: %s', async (pattern, command) => {
    expect(await decide(command, { deny: [pattern], allow: ['.*'] })).toMatchObject({ stage: 'user-deny' });
  });

  it.each([
    ['^git push', 'git log --grep push'],
    ['^git push', 'git stash push'],
    ['^npm publish', 'npm run publish'],
    ['^git push$', 'git -C . push origin'],
  ])('IDE-64 %s does not deny %s', async (pattern, command) => {
    expect((await decide(command, { deny: [pattern] })).stage).not.toBe('user-deny');
  });

  it('IDE-64 a line of many options is tried on so many texts and no more', async () => {
    const line = `git ${'-c a=b '.repeat(500)}push ${'-x y '.repeat(500)}`;
    expect((await decide(line, { deny: ['^npm (a|b)*c$'] })).decision).toBe('ask');
  });

  it.each([
    'curl x',
    '/usr/bin/curl x',
    "'curl' x",
    'c\\url x',
    'ls; curl x',
    'echo $(curl x)',
    'sh -c "curl x"',
    'timeout 5 curl x',
    'C=curl; $C x',
    'env A=1 curl x',
    'f() { curl "$1"; }; f x',
    'find . -exec curl {} \\;',
    'ls | xargs curl',
  ])('IDE-64 are tried on every simple command: %s', async (command) => {
    expect(await decide(command, { deny: ['^curl\\b'], allow: ['.*'] })).toMatchObject({ stage: 'user-deny' });
  });

  it('IDE-64 are tried on the raw line as well', async () => {
    expect(await decide('ls   |   wc', { deny: ['ls +\\| +wc'] })).toMatchObject({ stage: 'user-deny' });
  });

  it('IDE-64 are tried on a line that does not parse', async () => {
    expect(await decide("curl 'x", { deny: ['curl'] })).toMatchObject({ decision: 'deny', stage: 'user-deny' });
  });

  it.each(['(', '[', 'a{2,1}', '(?<=x)y', 'x(?!y)', '(a)\\1', '', 7, null])(
    'IDE-64 while %j is among them nothing is allowed unasked',
    async (pattern) => {
      const broken = await policy({ deny: [pattern], allow: ['.*'] });
      for (const command of ['ls', 'git status', 'npm install']) {
        const { decision } = await broken.decide(command, { ...place, autoApprove: true });
        expect(decision).toBe('ask');
      }
      expect(broken.diagnostics).toMatchObject([{ list: 'deny', message: expect.stringMatching(/\w/) }]);
    },
  );

  it('IDE-64 one that is not valid leaves the others in force', async () => {
    expect(await decide('curl x', { deny: ['(', 'curl'] })).toMatchObject({ stage: 'user-deny' });
  });
});

describe('allow patterns', () => {
  it('IDE-64 one that is not valid is reported and the others hold', async () => {
    const partly = await policy({ allow: ['(', '^npm test'] });
    expect(partly.diagnostics).toMatchObject([{ list: 'allow', pattern: '(' }]);
    expect(await partly.decide('npm test', place)).toMatchObject({ decision: 'allow', stage: 'user-allow' });
  });

  it('IDE-64 must match each simple command of the line', async () => {
    const options = { allow: ['^npm test$'] };
    expect(await decide('npm test && npm test', options)).toMatchObject({ decision: 'allow' });
    expect(await decide('npm test && npm publish', options)).toMatchObject({ decision: 'ask' });
  });

  it.each([
    ['^git log', 'git log -p', 'allow'],
    ['git log', 'x git log', 'ask'],
    ['^git push', 'git pushx', 'ask'],
    ['^git push', 'git push-x', 'ask'],
    ['^npm', 'npmx publish', 'ask'],
    ['^node scripts/', 'node scripts/a.mjs', 'allow'],
    ['^make (build|lint)$', 'make lint', 'allow'],
    ['^make (build|lint)$', 'make lint x', 'ask'],
  ])(
    'IDE-64 %s on `%s` is %s: they hold from the beginning to the end of a word',
    async (pattern, command, expected) => {
      expect((await decide(command, { allow: [pattern] })).decision).toBe(expected);
    },
  );

  it.each([
    ['^find\\b', 'find . -delete', 'ask'],
    ['^find .* -delete', 'find . -delete', 'allow'],
    ['^npm test', 'CI=1 npm test', 'ask'],
    ['^CI=1 npm test', 'CI=1 npm test', 'allow'],
    ['^cat\\b', 'cat .env', 'ask'],
    ['^cat \\.env$', 'cat .env', 'allow'],
    ['^sudo\\b', 'sudo systemctl restart app', 'ask'],
    ['^sudo systemctl restart app$', 'sudo systemctl restart app', 'ask'],
  ])('IDE-64 %s on `%s` is %s: a danger has to be named', async (pattern, command, expected) => {
    expect((await decide(command, { allow: [pattern] })).decision).toBe(expected);
  });

  it('IDE-64 a wrapper that changes for whom a command runs needs both to be allowed', async () => {
    const allow = ['^sudo systemctl restart app$', '^systemctl restart app$'];
    expect(await decide('sudo systemctl restart app', { allow })).toMatchObject({ decision: 'allow' });
  });

  it.each(['npm test', 'git commit -m "a (b) [c] $5"', "grep -rn 'x y' src", 'make -j4 all', 'git diff *.ts'])(
    'IDE-64 the pattern saved by "always allow" takes in the command and nothing beyond it: %s',
    async (command) => {
      const [part] = (await decide(command)).parts;
      const allow = [exactPattern(part?.text ?? '')];
      expect(await decide(command, { allow })).toMatchObject({ decision: 'allow' });
      const longer = await decide(`${command} --other`, { allow });
      expect(longer.stage).not.toBe('user-allow');
    },
  );
});

describe('patterns that would hang a backtracking engine', () => {
  it.each(['(a+)+$', '^(a|a)*$', '(.*a){20}$', '([a-z]+)*!', '^(([a-z])+.)+[A-Z]([a-z])+$'])(
    'IDE-64 %s takes time in proportion to the line',
    async (pattern) => {
      const command = `echo ${'a'.repeat(9_000)}`;
      const { decision } = await decide(command, { deny: [pattern], allow: [pattern] });
      expect(['allow', 'ask', 'deny']).toContain(decision);
    },
  );

  it('IDE-64 refuses one that is too large even for that', async () => {
    const { diagnostics } = await policy({ deny: ['((a|b|c|d){1,500}){1,20}', 'x'.repeat(5_000)] });
    expect(diagnostics).toHaveLength(2);
  });
});

describe('what cannot be judged', () => {
  it.each([
    "ls '",
    'ls "',
    'ls `',
    'ls $(',
    'if ls',
    'ls &&',
    'ls |',
    '(ls',
    'ls )',
    '',
    '  ',
    'ls \u200b',
    'ls\u00a0-l',
    'ls\0',
    '\ue000',
  ])('IDE-62 %j is asked about, even with auto-approval', async (command) => {
    expect(await decide(command, { allow: ['.*'] }, { autoApprove: true })).toMatchObject({
      decision: 'ask',
      rule: 'unreadable',
    });
  });

  it('IDE-62 a line of more than 10,000 characters is asked about', async () => {
    const long = `echo ${'a'.repeat(10_000)}`;
    expect(await decide(long, { allow: ['.*'] }, { autoApprove: true })).toMatchObject({ decision: 'ask' });
    expect(await decide(long.slice(0, 9_999), { allow: ['.*'] })).toMatchObject({ decision: 'allow' });
  });

  it('IDE-63 and meets the hard denies all the same', async () => {
    expect(await decide(`echo ${'a '.repeat(10_000)}; rm -rf /`)).toMatchObject({ stage: 'hard-deny' });
  });

  it.each([
    `${'X=$X$X; '.repeat(200)}ls`.replace('X=$X$X', 'X=ab'),
    `X=abcdefgh; ${'X=$X$X$X$X; '.repeat(60)} echo $X`,
    `echo ${'$('.repeat(400)}ls${')'.repeat(400)}`,
    `echo ${'{a,b}'.repeat(100)}`,
    `${'ls;'.repeat(3_000)}`,
    `${'for a in 1; do '.repeat(40)}ls${'; done'.repeat(40)}`,
    `echo ${'"'.repeat(5_001)}`,
    `${'((((('.repeat(900)}`,
    `${'a '.repeat(4_900)}`,
  ])('IDE-62 an overgrown line ends in an answer (%#)', async (command) => {
    const { decision } = await decide(command, { allow: ['.*'] });
    expect(['allow', 'ask']).toContain(decision);
  });

  it('IDE-62 without its parser the policy asks, and says why', async () => {
    const parser = new ShellParser({ files: { runtime: '/nowhere/a.wasm', grammar: '/nowhere/b.wasm' } });
    const decision = await decide('ls', { allow: ['.*'], parser }, { autoApprove: true });
    expect(decision).toMatchObject({ decision: 'ask', why: expect.stringContaining('/nowhere/b.wasm') });
    expect(await decide('rm -rf /', { parser })).toMatchObject({ stage: 'hard-deny' });
  });
});

describe('shells of Windows', () => {
  it.each([
    'pwsh -c ls',
    'powershell Get-ChildItem',
    'cmd /c dir',
    'cmd.exe /c dir',
    'Get-Content x',
    './x.ps1',
    'ls; x.bat',
  ])('IDE-62 %s is asked about, whatever is allowed and approved in advance', async (command) => {
    const decided = await decide(command, { allow: ['.*'] }, { autoApprove: true });
    expect(decided).toMatchObject({ decision: 'ask', rule: 'foreign-shell' });
  });
});

describe('provably read-only', () => {
  it.each([
    'ls -la src',
    'cat a b | head -5',
    'git status && git diff HEAD~1 -- a.ts',
    'grep -rn "a b" src > /dev/null 2>&1',
    'rg -n x; wc -l a',
    "sed -n '1,5p' a",
    'find . -name "*.ts" -type f',
    'git log --oneline -5 2>/dev/null',
    'ls # with a comment',
    'cd src && ls',
  ])('IDE-64 %s', async (command) => {
    expect(await (await policy()).provablyReadOnly(command, place)).toBe(true);
  });

  it.each([
    'ls > x',
    'ls $X',
    'ls *',
    'ls ~',
    'ls $(ls)',
    'ls `ls`',
    'ls <(ls)',
    'ls < x',
    'A=1 ls',
    'ls &',
    '(ls)',
    '{ ls; }',
    'if ls; then ls; fi',
    'for a in b; do ls; done',
    'ls() { ls; }; ls',
    '! ls',
    'ls {a,b}',
    "ls $'a'",
    'bash -c ls',
    'xargs ls',
    'env ls',
    'command ls',
    'cd .. && ls',
    'git -C x status',
    'git branch x',
    'git diff --output=x',
    'git fetch',
    'find . -delete',
    'rg --pre x y',
    'sed -n p a',
    'sed -i s/a/b/ a',
    'base64 -o x a',
    'sort -o a a',
    'cat .env',
    './ls',
    'cargo check',
    'npm test',
    "ls '",
    '',
  ])('IDE-64 not %j', async (command) => {
    expect(await (await policy({ allow: ['.*'] })).provablyReadOnly(command, place)).toBe(false);
  });
});
