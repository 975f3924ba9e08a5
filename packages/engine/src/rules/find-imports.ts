/** Only documents can be imported: a rule file must not carry `.env` to the model. */
const IMPORT =
  /(?<=^|[\s("'])@(?<path>[^\s@()"'`<>*]*[^\s@()"'`<>*.]\.(?:mdx?|markdown|txt|rst|adoc))(?=$|[\s)"'.,;:!?])/gi;
const FENCE = /^ {0,3}(`{3,}|~{3,})/;
const MOST = 50;

/** The paths that a rule file imports with `@path`, in order and each once; what stands in code does not count. Pure. */
export function findImports(text: string): string[] {
  const found = new Set<string>();
  let fence: string | undefined;
  for (const line of text.split('\n')) {
    const mark = FENCE.exec(line)?.[1];
    if (mark && fence === undefined) fence = mark;
    else if (mark && fence !== undefined && mark.startsWith(fence)) fence = undefined;
    if (mark || fence !== undefined) continue;
    const prose = line.replaceAll(/(`+)(?:(?!\1).)*\1/g, ' ');
    for (const match of prose.matchAll(IMPORT)) {
      if (found.size < MOST) found.add(match.groups!.path!);
    }
  }
  return [...found];
}
