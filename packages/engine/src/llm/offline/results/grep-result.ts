/** A line that a search found. */
export interface Hit {
  path: string;
  /** 1-based. */
  line: number;
  text: string;
}

export interface GrepResult {
  hits: Hit[];
  /** True where more was found than is shown. */
  cut: boolean;
  /** Lines found in all, as far as it is told. */
  total: number;
  /** Files found in all, of a search that was cut, as far as it is told. */
  files?: number;
  /** True where even counting was stopped: the numbers are the least. */
  atLeast?: true;
}

const HIT = /^(.+?):(\d+):(.*)$/s;
const FOOTER = /^\[(?:([\d,]+)\+?(?: of ([\d,]+)\+?)? match(?:es)?\b(?: in ([\d,]+)\+? files?\b)?|no matches)/;

/** Reads the text of a `grep_search` result; lines that are no hits are passed over. */
export function parseGrep(text: string): GrepResult {
  const hits: Hit[] = [];
  let total: number | undefined;
  let files: number | undefined;
  let atLeast = false;
  let noted = false;
  for (const line of text.split('\n')) {
    const hit = HIT.exec(line);
    if (hit && !line.startsWith('[')) {
      hits.push({ path: hit[1]!.replace(/^\.\//, ''), line: Number(hit[2]), text: hit[3]!.replace(/\r$/, '') });
      continue;
    }
    const footer = FOOTER.exec(line);
    if (footer) {
      total = numberOf(footer[2] ?? footer[1]);
      files = footer[3] === undefined ? undefined : numberOf(footer[3]);
      atLeast = footer[0].includes('+');
    } else if (/^\[.*\]$/.test(line)) noted = true;
  }
  const cut = total === undefined ? noted || hits.length > 0 : total > hits.length;
  return {
    hits,
    cut,
    total: total ?? hits.length,
    ...(cut && files !== undefined ? { files } : {}),
    ...(atLeast ? { atLeast } : {}),
  };
}

function numberOf(text: string | undefined): number {
  return Number((text ?? '0').replaceAll(',', ''));
}

/** The hits of several searches, each line once, in the order of paths and lines. */
export function mergeHits(results: readonly GrepResult[]): Hit[] {
  const byPlace = new Map<string, Hit>();
  for (const hit of results.flatMap((result) => result.hits)) byPlace.set(`${hit.path}\0${hit.line}`, hit);
  return [...byPlace.values()].sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : a.line - b.line));
}

/** Hits by file, in the order of their first hit. */
export function byFile(hits: readonly Hit[]): Map<string, Hit[]> {
  const files = new Map<string, Hit[]>();
  for (const hit of hits) {
    const known = files.get(hit.path);
    if (known) known.push(hit);
    else files.set(hit.path, [hit]);
  }
  return files;
}
