import { resolve } from 'node:path';
import { errnoOf, writeNewFile } from '@black-ide/workspace';
import type { ExportInvocation } from '../args/parse-invocation.ts';
import { CliFailure, unwrap } from '../failure.ts';
import { openEngine } from '../headless/open-engine.ts';
import { type Io, warn } from '../io.ts';

/** `black sessions export`: a session as one file. A file that is there already is never replaced. */
export async function exportSession({ session, format, out }: ExportInvocation, io: Io): Promise<number> {
  const opened = await openEngine(io, { face: 'headless', asks: 'refuse', needsHome: true, anywhere: out === '-' });
  try {
    const command = { type: 'exportSession' as const, session, format };
    const { content, fileName, redacted } = unwrap(await opened.engine.execute(command));
    if (out === '-') io.out.write(content);
    else {
      const path = resolve(opened.cwd, out ?? fileName);
      write(path, content);
      io.out.line(path);
    }
    if (redacted > 0) warn(io, `${redacted} ${redacted === 1 ? 'secret was' : 'secrets were'} taken out.`);
    return 0;
  } finally {
    await opened.dispose();
  }
}

function write(path: string, content: string): void {
  try {
    writeNewFile(path, content);
  } catch (cause) {
    const exists = errnoOf(cause) === 'EEXIST';
    throw new CliFailure({
      code: exists ? 'file_exists' : 'unwritable',
      message: exists ? `${path} exists already.` : `${path} cannot be written: ${(cause as Error).message}`,
      next: 'Name another file with --out FILE; --out - prints it.',
    });
  }
}
