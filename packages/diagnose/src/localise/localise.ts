import type { CodeIntelligence } from '@black-ide/intel';
import type { Report } from '../report/read-report.ts';
import { type FileEvidence, gatherEvidence } from './evidence.ts';
import { scoreOf, type Weights } from './features.ts';
import { rangesOf, type SuspectRange } from './ranges.ts';
import { WEIGHTS } from './weights.ts';

/** Lines of a file that a fault may lie in. */
export interface Suspect extends SuspectRange {
  path: string;
  /** How likely it is that this file has to be changed, from 0 to 1. */
  confidence: number;
}

export interface RankedFile {
  evidence: FileEvidence;
  score: number;
  confidence: number;
}

export const MOST_SUSPECTS = 10;
/** Files first, since one of them has the fault; then second and third places of the best. */
const FILES = 6;

/**
 * Finds where a reported fault lies, by frames, words, names, exact texts and the graph alone (DX-10).
 * @throws the signal's reason.
 */
export async function localise(intel: CodeIntelligence, report: Report, signal: AbortSignal): Promise<Suspect[]> {
  const ranked = rankFiles(await gatherEvidence({ intel, report, signal }), WEIGHTS);
  return suspectsOf(ranked, report, intel);
}

/** Best first. */
export function rankFiles(files: readonly FileEvidence[], weights: Weights): RankedFile[] {
  const scored = files.map((evidence) => ({ evidence, score: scoreOf(evidence.row, weights) }));
  scored.sort((x, y) => y.score - x.score || (x.evidence.path < y.evidence.path ? -1 : 1));
  const best = scored[0]?.score ?? 0;
  const total = scored.reduce((sum, { score }) => sum + Math.exp(score - best), 0);
  return scored.map((each) => ({ ...each, confidence: Math.exp(each.score - best) / total }));
}

export function suspectsOf(ranked: readonly RankedFile[], report: Report, intel: CodeIntelligence): Suspect[] {
  const files = ranked.slice(0, MOST_SUSPECTS).map(({ evidence, confidence }) => ({
    path: evidence.path,
    confidence,
    ranges: rangesOf(evidence, report, intel),
  }));
  const order: [file: number, range: number][] = [
    [0, 0],
    [1, 0],
    [0, 1],
    [2, 0],
    [0, 2],
    [3, 0],
    [1, 1],
    [4, 0],
    [2, 1],
    [5, 0],
  ];
  const chosen = order.flatMap(([at, place]) => {
    const file = files[at];
    const range = file?.ranges[place] ?? (place === 0 && file ? whole(file.path, intel) : undefined);
    return file && range ? [{ path: file.path, confidence: file.confidence, ...range }] : [];
  });
  for (const file of files.slice(FILES)) {
    if (chosen.length >= MOST_SUSPECTS) break;
    const range = file.ranges[0] ?? whole(file.path, intel);
    if (range) chosen.push({ path: file.path, confidence: file.confidence, ...range });
  }
  return chosen.slice(0, MOST_SUSPECTS);
}

/** Where nothing points into a file, its beginning. */
function whole(path: string, intel: CodeIntelligence): SuspectRange | undefined {
  const lines = intel.lines(path, 1, 40)?.length ?? 0;
  return lines === 0
    ? undefined
    : { startLine: 1, endLine: lines, symbol: undefined, weight: 0, why: ['is near what speaks for others'] };
}
