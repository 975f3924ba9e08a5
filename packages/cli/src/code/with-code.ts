import type { CodeIntelligence, RefreshReport } from '@black-ide/intel';
import { prepareStateHome, realPathOf, stateHome, workspaceKey } from '@black-ide/workspace';
import { CliFailure, EXIT } from '../failure.ts';
import { Interrupts } from '../headless/interrupts.ts';
import { type Io, warn } from '../io.ts';
import { visibleLine } from '../text/visible-text.ts';
import { codeFolder } from './code-folder.ts';
import { IndexProgress } from './index-progress.ts';
import { leanHeap } from './lean-heap.ts';
import { type OpenedEmbedder, openEmbedder } from './open-embedder.ts';

/** The code of the working folder, fresh. */
export interface OpenedCode {
  intel: CodeIntelligence;
  /** Where its index is kept; undefined: nowhere. */
  folder: string | undefined;
  refreshed: RefreshReport;
  signal: AbortSignal;
}

/**
 * Opens the code of the working folder, or of the one that is named, brings its index up to date and does something with it. Ctrl+C ends it with 130.
 * @throws CliFailure where there is nothing to index.
 */
export async function withCode(
  io: Io,
  work: (code: OpenedCode) => Promise<number> | number,
  named?: { folder: string | undefined; usage: string },
): Promise<number> {
  const interrupts = new Interrupts(io.world);
  const { signal } = interrupts;
  let intel: CodeIntelligence | undefined;
  let opened: OpenedEmbedder | undefined;
  try {
    const root = await codeFolder(named?.folder, named?.usage ?? '', io.world);
    const folder = indexFolder(root, io);
    leanHeap();
    const { openCodeIntelligence } = await import('@black-ide/intel');
    opened = await openEmbedder(root, io.world);
    intel = await openCodeIntelligence({ root, folder, embedder: opened.embedder });
    const refreshed = await refresh(intel, io, signal);
    signal.throwIfAborted();
    if (intel.report().files === 0) throw nothingIn(root);
    return await work({ intel, folder, refreshed, signal });
  } catch (cause) {
    if (!signal.aborted) throw cause;
    throw new CliFailure({ code: 'cancelled', message: 'Cancelled.' }, EXIT.cancelled);
  } finally {
    await intel?.dispose();
    opened?.dispose();
    interrupts.dispose();
  }
}

async function refresh(intel: CodeIntelligence, io: Io, signal: AbortSignal): Promise<RefreshReport> {
  const progress = new IndexProgress(io);
  try {
    return await intel.refresh({ signal, onProgress: (state) => progress.take(state) });
  } finally {
    progress.clear();
  }
}

/** Where the index of a folder is kept. Where there is no home for it, it is made for this once, and a line says so. */
export function indexFolder(root: string, io: Io): string | undefined {
  const { env, platform } = io.world;
  const home = stateHome({ env, cwd: root, platform });
  const problem = home ? prepareStateHome(home)?.message : 'There is no home folder (set BLACKIDE_HOME).';
  if (problem === undefined) return `${home}/index/${workspaceKey(realPathOf(root))}`;
  warn(io, `The index is not kept. ${visibleLine(problem)}`);
  return undefined;
}

function nothingIn(root: string): CliFailure {
  return new CliFailure({
    code: 'nothing_indexed',
    message: `There is no text file in ${root} that is not ignored.`,
    next: 'cd to a folder with code and try again.',
  });
}
