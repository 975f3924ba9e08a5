import type { CodeIntelligence } from '@black-ide/intel';
import type { Report } from '../report/read-report.ts';
import { type FileEvidence, gatherEvidence } from './evidence.ts';
import { scoreOf, type Weights } from './features.ts';
import { MOST_LINES, rangesOf, type SuspectRange } from './ranges.ts';
import { WEIGHTS } from './weights.ts';

/** Lines of a file that a fault may lie in. */
export interface Suspect extends SuspectRange {
  path: string;
  /** How likely it is that this file has to be changed, from 0 to 1. */
  confidence: number;
}

interface RankedFile {
  evidence: FileEvidence;
  score: number;
  confidence: number;
}

const MOST_SUSPECTS = 10;
/** So many files are named at least, where there are as many; the rest are further places of the likeliest. */
const FILES = 6;
/** How likely another place of a file is beside its best. */
const OTHERS = 0.6;

/**
 * Finds where a reported fault lies, by frames, words, names, exact texts and the graph alone (DX-10).
 * @throws the signal's reason.
 */
export async function localise(intel: CodeIntelligence, report: Report, signal: AbortSignal): Promise<Suspect[]> {
  const ranked = rankFiles(await gatherEvidence({ intel, report, signal }), WEIGHTS);
  return suspectsOf(ranked, report, intel);
}

/** Best first. */
function rankFiles(files: readonly FileEvidence[], weights: Weights): RankedFile[] {
  const scored = files.map((evidence) => ({ evidence, score: scoreOf(evidence.row, weights) }));
  scored.sort((x, y) => y.score - x.score || (x.evidence.path < y.evidence.path ? -1 : 1));
  const best = scored[0]?.score ?? 0;
  const total = scored.reduce((sum, { score }) => sum + Math.exp(score - best), 0);
  return scored.map((each) => ({ ...each, confidence: Math.exp(each.score - best) / total }));
}

function suspectsOf(ranked: readonly RankedFile[], report: Report, intel: CodeIntelligence): Suspect[] {
  const files = ranked.slice(0, MOST_SUSPECTS).map(({ evidence, confidence }) => ({
    path: evidence.path,
    confidence,
    ranges: rangesOf(evidence, report, intel),
  }));
  const chosen = files.flatMap(({ path, confidence, ranges }) => {
    const [first, ...others] = ranges;
    const best = first ?? beginning(path, intel);
    if (!best) return [];
    const share = (weight: number): number => (OTHERS * weight) / Math.max(best.weight, 1e-6);
    return [
      { ...best, path, confidence },
      ...others.map((range) => ({ ...range, path, confidence: confidence * Math.min(OTHERS, share(range.weight)) })),
    ];
  });
  const isFirst = new Set(files.map(({ path }) => chosen.find((each) => each.path === path)));
  const firsts = chosen.filter((each) => isFirst.has(each)).slice(0, FILES);
  const more = chosen.filter((each) => !firsts.includes(each)).sort((x, y) => y.confidence - x.confidence);
  const all = [...firsts, ...more.slice(0, MOST_SUSPECTS - firsts.length)];
  return all.sort((x, y) => y.confidence - x.confidence);
}

/** Where nothing points into a file, its beginning. */
function beginning(path: string, intel: CodeIntelligence): SuspectRange | undefined {
  const lines = intel.lines(path, 1, MOST_LINES)?.length ?? 0;
  const why = ['is near what speaks for others'];
  return lines === 0 ? undefined : { startLine: 1, endLine: lines, symbol: undefined, weight: 0, why };
}
