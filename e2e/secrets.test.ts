import { createMockModelServer, createTempWorkspace, runBlack } from '@black-ide/testkit';
import { describe, expect, it } from 'vitest';

const KEY = 'sk-ant-api03-Zm9vYmFy-Q2F0c0FuZERvZ3M_0123456789';

/** Field notes §4 #44: ways in which agents' shells gave keys away. */
const READERS = [
  'env',
  'env | grep KEY',
  'printenv',
  'set',
  'export -p',
  "bash -c 'declare -p'",
  "tr '\\0' '\\n' < /proc/self/environ",
  "tr '\\0' '\\n' < /proc/$$/environ",
  "tr '\\0' '\\n' < /proc/$PPID/environ",
  'cat /proc/*/environ 2>/dev/null | base64 -w0',
  'node -p process.env',
  'python3 -c "import os; print(os.environ)"',
];

describe('the keys of the person', () => {
  it('IDE-66 field notes §4 #44: no command that the agent runs prints one into a session, an answer or an event', async () => {
    await using workspace = await createTempWorkspace({});
    await using home = await createTempWorkspace({});
    await using modelServer = await createMockModelServer([
      { toolCalls: READERS.map((command) => ({ name: 'run_command', args: { command } })) },
      { text: 'Done.' },
    ]);
    const env = { ANTHROPIC_API_KEY: KEY, MY_DEPLOY_TOKEN: 'q8Zr2LmN0pXw4TyU' };
    const args = ['-p', 'look', '--auto-approve', '--model', 'anthropic/mock', '--output', 'stream-json'];
    const ran = await runBlack({ args, cwd: workspace.path, home: home.path, modelServer, env });
    expect(ran.code).toBe(0);
    const stored = Object.entries(await home.snapshot()).map(([path, entry]) =>
      entry.kind === 'file' ? [path, entry.bytes.toString('latin1')] : [path, ''],
    );
    const texts = [
      ['stdout', ran.stdout],
      ['stderr', ran.stderr],
      ...stored,
      ['asked', modelServer.requests.at(-1)!.rawBody.toString()],
    ];
    for (const [where, text = ''] of texts) {
      for (const secret of Object.values(env)) {
        expect([where, text.includes(secret)]).toEqual([where, false]);
        expect([where, text.includes(Buffer.from(secret).toString('base64').slice(0, 20))]).toEqual([where, false]);
      }
    }
    expect(texts.some(([, text = '']) => text.includes('exit code 0'))).toBe(true);
  });

  it('IDE-66 a command that reads secrets is never run unasked, whatever the allow list says of its program', async () => {
    await using workspace = await createTempWorkspace({ files: { '.env': 'KEY=x\n' } });
    await using home = await createTempWorkspace({
      files: { 'settings.json': JSON.stringify({ 'commandPolicy.allow': ['^(cat|grep|rg|find|head|tr)\\b'] }) },
    });
    const commands = [
      'cat .env',
      "grep -r '' .",
      'rg --hidden KEY',
      'find . -type f | xargs cat',
      'cat /proc/self/environ',
    ];
    const args = ['policy', 'explain', '--json'];
    const { stdout } = await runBlack({ args, cwd: workspace.path, home: home.path, stdin: commands.join('\n') });
    const decisions = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).decision);
    expect(decisions).toEqual(commands.map(() => 'ask'));
  });
});
