import { resolve } from 'node:path';
import { DiskDocuments } from '@black-ide/workspace';
import { CliFailure } from '../failure.ts';
import { Interrupts } from '../headless/interrupts.ts';
import { readPrompt } from '../headless/read-prompt.ts';
import { workingFolder } from '../headless/working-folder.ts';
import type { Io } from '../io.ts';
import { visibleLine } from '../text/visible-text.ts';

const MOST_BYTES = 5 * 1024 * 1024;

/**
 * The text of a report: of a file, of standard input for `-`, of an issue on GitHub (DX-1).
 * @throws CliFailure where it cannot be read, or is no text; BlackError of GitHub.
 */
export async function readReportText(report: string, io: Io): Promise<string> {
  const interrupts = new Interrupts(io.world);
  try {
    if (report === '-') return await readPrompt('', io, interrupts.signal);
    const path = resolve(workingFolder(io.world), report);
    const documents = new DiskDocuments();
    const looked = await documents.stat(path);
    if (!looked.ok) return (await fromGitHub(report, io, interrupts.signal)) ?? fail(looked.error.message, WHICH);
    if (looked.stat.kind !== 'file') return fail(`${visibleLine(report)} is no file.`, WHICH);
    if (looked.stat.size > MOST_BYTES) return fail(`${visibleLine(report)} is larger than 5 MB.`, CUT);
    const read = await documents.read(path);
    if (!read.ok) return fail(read.error.message, WHICH);
    return read.document.text ?? fail(`${visibleLine(report)} is no text.`, 'Name a report that is text.');
  } finally {
    interrupts.dispose();
  }
}

const WHICH = 'Name a file, - for standard input, or an issue as OWNER/REPOSITORY#NUMBER.';
const CUT = 'Cut it to what was reported: the words, the trace, the last lines of the log.';

function fail(message: string, next: string): never {
  throw new CliFailure({ code: 'no_report', message, next });
}

async function fromGitHub(report: string, io: Io, signal: AbortSignal): Promise<string | undefined> {
  const { parseGitHub, fetchIssues } = await import('@black-ide/diagnose');
  const place = parseGitHub(report);
  if (place?.number === undefined) return undefined;
  const { GITHUB_TOKEN, GH_TOKEN, GITHUB_API_URL } = io.world.env;
  const options = { fetch, token: GITHUB_TOKEN ?? GH_TOKEN, apiUrl: GITHUB_API_URL, signal };
  for await (const { text } of fetchIssues(place, options)) return text;
  return undefined;
}
