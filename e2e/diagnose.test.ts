import { cp } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type Diagnosis, diagnosisSchema } from '@black-ide/protocol';
import { createTempWorkspace, type RunOptions, runBlack } from '@black-ide/testkit';
import { describe, expect, it, onTestFinished } from 'vitest';

const NOTES_APP = join(import.meta.dirname, '../examples/notes-app');
const REPORT = `Saving a note without a title fails

Error: title must not be empty
    at validateTitle (/srv/notes/src/validate-title.ts:14:11)
Reach me at joe@example.com.
`;

/** The example beside a folder of reports. */
async function begin(files: Record<string, string> = { 'report.md': REPORT }) {
  const reports = await createTempWorkspace({ files });
  const home = await createTempWorkspace({});
  const code = await createTempWorkspace({});
  await cp(NOTES_APP, code.path, { recursive: true });
  onTestFinished(async () => {
    await reports.dispose();
    await home.dispose();
    await code.dispose();
  });
  const black = (args: string[], more: Partial<RunOptions> = {}) =>
    runBlack({ args: ['diagnose', ...args], cwd: reports.path, home: home.path, untrusted: true, ...more });
  return { black, code: code.path };
}

const read = (text: string): Diagnosis => diagnosisSchema.parse(JSON.parse(text));

describe('black diagnose', () => {
  it('DX-10 DX-11 names files and lines that exist, as JSON, Markdown and SARIF', async () => {
    const { black, code } = await begin();
    const json = await black(['report.md', '--repo', code, '--explorer', 'offline', '--json']);
    expect(json.code, json.stderr).toBe(0);
    const diagnosis = read(json.stdout);
    expect(diagnosis).toMatchObject({
      classification: { kind: 'crash' },
      validation: { status: 'valid', problems: [] },
    });
    expect(diagnosis.affectedFiles[0]!.symbol).toBe('validateTitle');
    const { stdout } = await black(['report.md', '--repo', code]);
    expect(stdout).toContain('# Saving a note without a title fails');
    expect(stdout).toContain('`validateTitle`');
    expect(stdout).not.toContain('joe@example.com');
    const sarif = JSON.parse((await black(['report.md', '--repo', code, '--sarif'])).stdout);
    expect(sarif.runs[0].results).toHaveLength(diagnosis.affectedFiles.length);
  });

  it('DX-1 reads standard input, and an issue on GitHub', async () => {
    const { black, code } = await begin({});
    const piped = await black(['-', '--repo', code, '--json'], { stdin: REPORT });
    expect(read(piped.stdout).affectedFiles[0]!.symbol).toBe('validateTitle');
    const server = createServer((request, response) => {
      const body =
        request.url === '/repos/me/notes/issues/7' ? { number: 7, title: 'It fails', body: REPORT, comments: 0 } : {};
      response.setHeader('content-type', 'application/json').end(JSON.stringify(body));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const env = { GITHUB_API_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
    const issue = await black(['me/notes#7', '--repo', code, '--json'], { env });
    expect(read(issue.stdout)).toMatchObject({ title: 'It fails', classification: { kind: 'crash' } });
  });

  it('DX-2 says of what is no bug what it is, and ends with 0', async () => {
    const { black, code } = await begin({ 'wish.txt': 'Please add a dark mode' });
    const { stdout, code: exit } = await black(['wish.txt', '--repo', code]);
    expect(exit).toBe(0);
    expect(stdout).toContain('**A feature request**');
  });

  it('DX-1 says what to do with a report that there is not, that is no text, or that is too large', async () => {
    const { black, code } = await begin({ 'big.log': 'x'.repeat(6 * 1024 * 1024), 'a.bin': '\0\u0001\u0002\0' });
    for (const [name, message] of [
      ['gone.md', /Name a file, - for standard input, or an issue/],
      ['big.log', /larger than 5 MB/],
      ['a.bin', /is no text/],
      ['.', /is no file/],
    ] as const) {
      const { code: exit, stderr, stdout } = await black([name, '--repo', code]);
      expect(exit, name).toBe(1);
      expect(stderr).toMatch(message);
      expect(stdout).toBe('');
    }
    const nowhere = await black(['big.log', '--repo', 'nowhere']);
    expect(nowhere.code).toBe(1);
    const both = await black(['x', '--json', '--sarif']);
    expect(both.code).toBe(2);
  });
});
