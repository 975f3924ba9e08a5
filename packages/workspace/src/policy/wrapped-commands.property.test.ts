import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { CommandPolicy } from './command-policy.ts';

const place = { cwd: '/home/ann/app', home: '/home/ann' };

let policy: CommandPolicy;
beforeAll(async () => {
  policy = await CommandPolicy.create({ allow: ['[\\s\\S]*'], deny: ['^forbidden\\b'] });
});
afterAll(() => policy.dispose());

/** A command line, and whether it is one simple command that words may be put in front of. */
interface Line {
  text: string;
  simple: boolean;
}

const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

const simpleWrappers: ((text: string) => string)[] = [
  (text) => `env ${text}`,
  (text) => `env -i A=1 ${text}`,
  (text) => `sudo -n -u root ${text}`,
  (text) => `doas ${text}`,
  (text) => `nohup ${text}`,
  (text) => `nice -n 3 ${text}`,
  (text) => `timeout -k 1 5s ${text}`,
  (text) => `stdbuf -oL ${text}`,
  (text) => `command ${text}`,
  (text) => `exec ${text}`,
  (text) => `time -p ${text}`,
  (text) => `setsid ${text}`,
  (text) => `xargs -n 1 ${text}`,
  (text) => `busybox ${text}`,
  (text) => `A=1 ${text}`,
  (text) => `2>/dev/null ${text}`,
  (text) => `find . -maxdepth 1 -exec ${text} \\;`,
];

const textWrappers: ((text: string) => string)[] = [
  (text) => `sh -c ${quote(text)}`,
  (text) => `bash -lc ${quote(text)}`,
  (text) => `bash -e -o pipefail -c ${quote(text)} x y`,
  (text) => `eval ${quote(text)}`,
  (text) => `su -c ${quote(text)}`,
  (text) => `ssh host ${quote(text)}`,
  (text) => `trap ${quote(text)} EXIT`,
  (text) => `watch ${quote(text)}`,
];

/** `end` is what may close a statement there: after `&` no semicolon may stand. */
const lineWrappers: ((text: string, end: string) => string)[] = [
  (text) => `ls; ${text}`,
  (text, end) => `${text}${end} ls`,
  (text) => `true && ${text}`,
  (text) => `false || ${text}`,
  (text) => `ls | ${text}`,
  (text, end) => `{ ${text}${end} } | cat`,
  (text, end) => `{ ${text}${end} } &`,
  (text) => `! ${text}`,
  (text) => `(${text})`,
  (text, end) => `{ ${text}${end} }`,
  (text, end) => `if ls; then ${text}${end} else ls; fi`,
  (text, end) => `if ${text}${end} then ls; fi`,
  (text, end) => `for i in 1 2; do ${text}${end} done`,
  (text, end) => `while ${text}${end} do ls; done`,
  (text) => `case a in b) ls;; *) ${text}\n;; esac`,
  (text, end) => `f() { ${text}${end} }; f`,
  (text) => `echo "$( ${text} )"`,
  (text) => `x=$( ${text} )`,
  (text) => `cat <(${text})`,
  (text) => `echo \${x:-$( ${text} )}`,
  (text) => `echo ${quote(text)} | sh`,
  (text) => `bash <<< ${quote(text)}`,
  (text) => `{ C=${quote(text)}; eval "$C"; }`,
  (text) => `ls\n${text}\nls`,
];

const wrapping = fc.oneof(
  {
    weight: 2,
    arbitrary: fc.constantFrom(...simpleWrappers).map((wrap) => ({ wrap, needsSimple: true, staysSimple: true })),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom(...textWrappers).map((wrap) => ({ wrap, needsSimple: false, staysSimple: true })),
  },
  {
    weight: 3,
    arbitrary: fc.constantFrom(...lineWrappers).map((wrap) => ({ wrap, needsSimple: false, staysSimple: false })),
  },
);

function wrapped(core: string) {
  return fc
    .array(wrapping, { maxLength: 5 })
    .map((stack) =>
      stack.reduce<Line>(
        (line, { wrap, needsSimple, staysSimple }) =>
          needsSimple && !line.simple ? line : { text: wrap(line.text, line.simple ? ';' : '\n'), simple: staysSimple },
        { text: core, simple: true },
      ),
    );
}

const denied = fc.constantFrom(
  'rm -rf /',
  'rm -r -f "$HOME"',
  'mkfs.ext4 /dev/sda',
  'dd if=/dev/zero of=x',
  'reboot',
  'chmod -R 000 ~',
);

it('IDE-62 IDE-63 a command that is never run stays so in any stack of wrappers and chains', async () => {
  await fc.assert(
    fc.asyncProperty(denied.chain(wrapped), async ({ text }) => {
      const { stage } = await policy.decide(text, { ...place, autoApprove: true });
      expect(stage, text).toBe('hard-deny');
    }),
  );
});

it('IDE-62 IDE-64 a command the user forbids is refused in any stack of wrappers and chains, or at least asked about', async () => {
  await fc.assert(
    fc.asyncProperty(wrapped('forbidden --now'), async ({ text }) => {
      const { decision, rule } = await policy.decide(text, { ...place, autoApprove: true });
      expect(decision, text).toBe(rule === 'unreadable' ? 'ask' : 'deny');
    }),
  );
});

it('IDE-62 any text at all ends in a decision', async () => {
  const alphabet = fc.constantFrom(
    ...' \t\n;&|<>(){}[]$`\'"\\*?~#!=-/.,:@%^0a',
    'rm',
    '$(',
    '${',
    '<<E',
    'if ',
    'done',
    'é',
    '😀',
    '\ud800',
  );
  await fc.assert(
    fc.asyncProperty(fc.array(alphabet, { maxLength: 60 }), async (symbols) => {
      const { decision } = await policy.decide(symbols.join(''), place);
      expect(['allow', 'ask', 'deny']).toContain(decision);
    }),
  );
});
