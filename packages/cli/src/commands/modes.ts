import { type ModeSummary, problemText } from '@black-ide/protocol';
import { EXIT, unwrap } from '../failure.ts';
import { openEngine } from '../headless/open-engine.ts';
import { type Io, warn } from '../io.ts';
import { fitWidth } from '../text/fit-width.ts';
import { painter } from '../text/painter.ts';
import { visibleLine } from '../text/visible-text.ts';

/** `black modes`: the modes there are, where they come from, and what is wrong with their files (IDE-36 … 38). */
export async function modes({ json }: { json: boolean }, io: Io): Promise<number> {
  const opened = await openEngine(io, { face: 'headless', asks: 'refuse', needsHome: false, anywhere: true });
  try {
    const { modes: all, problems } = unwrap(await opened.engine.execute({ type: 'listModes' }));
    if (json) io.out.line(JSON.stringify({ modes: all, problems }, undefined, 2));
    else for (const mode of all) io.out.line(row(mode, io));
    if (!json) for (const problem of problems) warn(io, visibleLine(problemText(problem)));
    return problems.some(({ severity }) => severity === 'error') ? EXIT.failed : EXIT.done;
  } finally {
    await opened.dispose();
  }
}

function row({ name, description, file, maxIterations, tools, selectable }: ModeSummary, io: Io): string {
  const paint = painter(io.world.env, io.out.isTerminal);
  const facts = [
    `${maxIterations} turns`,
    tools ? `${tools.length} ${tools.length === 1 ? 'tool' : 'tools'}` : 'all tools',
    ...(selectable ? [] : ['a phase of the pipeline']),
    ...(file ? [file] : []),
  ];
  const text = `${visibleLine(name).padEnd(18)} ${visibleLine(`${description} (${facts.join(', ')})`)}`;
  const shown = fitWidth(text, io.out.isTerminal ? io.out.columns : Number.POSITIVE_INFINITY);
  return selectable ? shown : paint.dim(shown);
}
