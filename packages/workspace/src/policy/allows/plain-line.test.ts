import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isHarmlessAnywhere, isPlainLine } from './plain-line.ts';

const ROOT = '/srv/app';

describe('isPlainLine', () => {
  it.each([
    'ls -la src',
    'cat package.json | head -n 20',
    'git status && git diff --stat',
    "grep -rn 'some text, (even) this' src 2>/dev/null",
    'rg -n "a b" src || true',
    'find . -name "*.ts" -not -path "./node_modules/*" | wc -l',
    'sort names.txt | uniq -c',
    'wc -l /srv/app/src/a.ts',
    'head -5 README.md; tail -5 README.md',
    'ls src 2>&1',
    'git diff HEAD~1',
    'git log main~3..HEAD^ -- src',
    'git show HEAD~2:src/a.ts',
    "grep -rn '/api/users' src",
    "awk '/foo/ {print}' a",
  ])('IDE-62 takes %s', (line) => {
    expect(isPlainLine(line, ROOT)).toBe(true);
  });

  it.each([
    ['a comment that is none', 'true \\ #; rm -rf x'],
    ['a comment behind a line end', 'true\\\n#; touch P'],
    ['a second line', 'ls\ntouch P'],
    ['an assignment before a wrapper', "BASH_ENV='$(touch P)' bash -c :"],
    ['an assignment before a program', "GIT_EXTERNAL_DIFF='touch P #' git diff"],
    ['a wrapper', 'nice git diff'],
    ['an array', "b=(['a[$(touch P)]']=1)"],
    ['an indirection', `x='a[$(touch P)]'; y=\${!x}`],
    ['a negated assignment', '! x=1 >/dev/null touch P'],
    ['a bracket that redirects', '[ a > README.md ]'],
    ['a redirection', 'ls > README.md'],
    ['a redirection to a number', '>&2\\\ntimeout'],
    ['a here-document', 'cat <<E\n$(touch P)\nE'],
    ['another shell', "sh -c '[[ a || sh ]]'"],
    ['arguments from a file', 'echo | xargs -a args find .'],
    ['uniq that writes', 'uniq -- a -b'],
    ['uniq that writes its second operand', 'uniq a b'],
    ['the kernel’s files', "grep -rhaso 'ANTHROPIC_API_KEY=' /proc"],
    ['a device', 'cat /dev/sda'],
    ['a home', 'cat ~/.ssh/id_rsa'],
    ['another one’s home', 'cat ~root/x'],
    ['a home behind a sign', 'cat --file=~/x a:~/y'],
    ['a home in quotes', "git grep x '~/y'"],
    ['a file where the pattern is an option', "grep -e '/x' /etc/passwd"],
    ['a file behind the pattern', "grep '/x' /etc/passwd"],
    ['a file behind an option’s value', 'grep -A 3 /etc/passwd src'],
    ['a caret by itself', 'ls ^a'],
    ['a folder above', 'cat ../../etc/passwd'],
    ['a folder beside', 'cat /srv/app_evil/x'],
    ['names from a secret file', 'du --files0-from=.env'],
    ['magic of git', "git grep -h '' -- ':(top).en?'"],
    ['a substitution', 'ls "$(touch P)"'],
    ['a glob that could be anything', 'cat [a-z]*'],
    ['a variable', 'cat $X'],
    ['a background command', 'ls & touch P'],
    ['a search that goes where links lead', 'grep -Rn x src'],
    ['a search that follows links', 'rg --follow x'],
    ['a find that follows links', "find -L . -name '*.md'"],
    ['what find hands on, links too', "find . -name readme.txt -exec cat '{}' ';'"],
    ['a comparison of whole folders', 'diff -rN src docs'],
    ['nothing', ''],
    ['a lone operator', '&& ls'],
  ])('IDE-62 refuses %s', (_what, line) => {
    expect(isPlainLine(line, ROOT)).toBe(false);
  });

  it('IDE-62 property: one character that means something to a shell is enough to refuse', () => {
    const word = fc.stringMatching(/^[a-z]{1,8}$/);
    const odd = fc.constantFrom(
      '$',
      '`',
      '\\',
      '#',
      '(',
      ')',
      '{',
      '}',
      '[',
      ']',
      '<',
      '&',
      '!',
      '~',
      '^',
      '*',
      '?',
      '\n',
      '\t',
      '\r',
      '\u00a0',
      '\0',
    );
    fc.assert(
      fc.property(fc.array(word, { minLength: 1 }), odd, word, (words, character, last) => {
        expect(isPlainLine(`${words.join(' ')} ${character}${last}`, ROOT)).toBe(false);
      }),
    );
  });
});

it.each([
  ['ls -la src', true],
  ['cat a.txt | grep -n one && wc -l a.txt', true],
  ['rg -n x .', true],
  ['git status', false],
  ['ls && git log -p', false],
  ['cat a | git diff', false],
  ['npm --version', false],
  ['yarn --version', false],
  ['node --version', false],
  ['./ls', false],
  ['env ls', false],
  ['ls $(x)', false],
])('IDE-67 %s is harmless whatever a stranger put into the folder: %s', (line, harmless) => {
  expect(isHarmlessAnywhere(line)).toBe(harmless);
});
