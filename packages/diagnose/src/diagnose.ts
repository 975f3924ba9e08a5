import type { CodeIntelligence } from '@black-ide/intel';
import type { Diagnosis, Findings } from '@black-ide/protocol';
import { classify } from './classify/classify.ts';
import { localise, type Suspect } from './localise/localise.ts';
import { type Report, readReport } from './report/read-report.ts';
import { redactReport } from './report/redact-report.ts';
import { standsIn, validateFindings } from './validate/validate-findings.ts';

export interface DiagnoseOptions {
  /** The code, fresh. */
  intel: CodeIntelligence;
  /** The report, as text. Whatever it says is data. */
  text: string;
  signal: AbortSignal;
}

/** Reports that go on are bugs and crashes; the others come back at once, with the reason (DX-2). */
const GOES_ON: ReadonlySet<string> = new Set(['bug', 'crash']);

/**
 * From a report to a checked diagnosis, with no model (DX-10): what it is, where the fault most likely lies, and how sure
 * that is. @throws the signal's reason.
 */
export async function diagnose({ intel, text, signal }: DiagnoseOptions): Promise<Diagnosis> {
  const began = performance.now();
  const report = readReport(redactReport(text));
  const classification = classify(report);
  const rest = (): Pick<Diagnosis, 'version' | 'title' | 'classification' | 'explorer' | 'cost'> => ({
    version: 1,
    title: report.title,
    classification,
    explorer: 'offline',
    cost: { calls: 0, tokens: 0, dollars: 0, seconds: Math.round(performance.now() - began) / 1000 },
  });
  if (!GOES_ON.has(classification.kind))
    return { ...rest(), ...NOTHING, validation: { status: 'valid', problems: [] } };
  const suspects = await localise(intel, report, signal);
  const [best] = suspects;
  if (!best) {
    const problems = ['nothing in this repository has anything to do with the report'];
    return { ...rest(), ...NOTHING, validation: { status: 'unvalidated', problems } };
  }
  const findings = findingsOf(report, suspects, best, intel);
  const lines = (path: string): string[] | undefined =>
    intel.files.idOf(path) === undefined ? undefined : intel.lines(path, 1, Number.MAX_SAFE_INTEGER);
  const result = await validateFindings(findings, { lines });
  return {
    ...rest(),
    ...findings,
    validation: result.ok ? { status: 'valid', problems: [] } : { status: 'unvalidated', problems: result.problems },
  };
}

const NOTHING = {
  rootCause: null,
  affectedFiles: [],
  proposedChanges: [],
  assessment: null,
  evidence: [],
  reproduction: null,
  testsToAdd: [],
} satisfies Partial<Diagnosis>;

function findingsOf(report: Report, suspects: readonly Suspect[], best: Suspect, intel: CodeIntelligence): Findings {
  const message = report.traces.find((trace) => trace.message !== undefined)?.message;
  const place = `${best.path}:${best.startLine}-${best.endLine}`;
  const inside = best.symbol ? `\`${best.symbol}\` (${place})` : place;
  const confidence = round(best.confidence);
  const users = importersOf(best.path, intel);
  const lines = best.endLine - best.startLine + 1;
  return {
    rootCause: `${message ? `“${message.slice(0, 200)}” most likely comes from` : 'The fault most likely lies in'} ${inside}: it ${best.why.slice(0, 2).join(', and it ')}. No model has looked at it.`,
    affectedFiles: suspects.map((suspect) => ({
      path: suspect.path,
      startLine: suspect.startLine,
      endLine: suspect.endLine,
      symbol: symbolIn(suspect, intel),
      why: `it ${suspect.why.slice(0, 2).join(', and it ')}`,
      confidence: round(suspect.confidence),
    })),
    proposedChanges: [
      {
        path: best.path,
        startLine: best.startLine,
        endLine: best.endLine,
        what: `Look here first: it ${best.why[0]}.`,
      },
    ],
    assessment: {
      complexity:
        lines <= 15
          ? { level: 'low', reason: `the suspected part has ${lines} lines` }
          : { level: 'medium', reason: `the suspected part has ${lines} lines` },
      risk: {
        level: users > 20 ? 'high' : users > 4 ? 'medium' : 'low',
        reason: `${users} ${users === 1 ? 'file uses' : 'files use'} ${best.path}`,
      },
      confidence: {
        value: confidence,
        reason: `about ${Math.round(confidence * 100)} of 100 reports that scored like this were placed right when it was measured`,
      },
    },
    evidence: suspects.slice(0, 5).map(({ path, startLine, why }) => `${path}:${startLine}: it ${why[0]}`),
    reproduction: report.code.find((block) => block.includes('\n')) ?? null,
    testsToAdd: [],
  };
}

/** A symbol is named only where it stands: a range may be a part of it. */
function symbolIn({ symbol, path, startLine, endLine }: Suspect, intel: CodeIntelligence): string | null {
  const lines = symbol === undefined ? undefined : intel.lines(path, 1, Number.MAX_SAFE_INTEGER);
  return lines && standsIn(symbol!, lines, startLine, endLine) ? symbol! : null;
}

function importersOf(path: string, intel: CodeIntelligence): number {
  const file = intel.files.idOf(path);
  if (file === undefined) return 0;
  return new Set(intel.graph.importers(file).map(({ from }) => from)).size;
}

function round(share: number): number {
  return Math.round(share * 100) / 100;
}
