import { type Diagnosis, visibleText } from '@black-ide/protocol';
import type { DiagnoseInvocation } from '../args/parse-diagnose.ts';
import { readReportText } from '../code/read-report-text.ts';
import { withCode } from '../code/with-code.ts';
import { EXIT } from '../failure.ts';
import type { Io } from '../io.ts';
import { VERSION } from '../version.ts';

/** `black diagnose`: from a bug report to the lines in which the fault may lie (DX-10, DX-11). */
export async function diagnose({ report, repo, output }: DiagnoseInvocation, io: Io): Promise<number> {
  const text = await readReportText(report, io);
  return await withCode(
    io,
    async ({ intel, signal }) => {
      const package_ = await import('@black-ide/diagnose');
      const diagnosis = await package_.diagnose({ intel, text, signal });
      if (output === 'json') io.out.line(JSON.stringify(diagnosis, undefined, 2));
      else if (output === 'sarif')
        io.out.line(JSON.stringify(package_.diagnosisSarif(diagnosis, VERSION), undefined, 2));
      else io.out.write(visibleText(package_.diagnosisMarkdown(diagnosis)));
      return exitCodeOf(diagnosis);
    },
    { folder: repo, usage: 'black diagnose REPORT --repo FOLDER' },
  );
}

/** What is no bug is answered all the same; what could not be validated is not passed off as done. */
function exitCodeOf({ validation }: Diagnosis): number {
  return validation.status === 'valid' ? EXIT.done : EXIT.failed;
}
