import type { LspInvocation } from '../args/parse-lsp.ts';
import { EXIT, unwrap } from '../failure.ts';
import { Interrupts } from '../headless/interrupts.ts';
import { openEngine } from '../headless/open-engine.ts';
import type { Io } from '../io.ts';
import { visibleText } from '../text/visible-text.ts';

/** `black lsp`: asks the language servers of this folder (INT-15). Nothing is written. */
export async function lsp({ question, trust, json }: LspInvocation, io: Io): Promise<number> {
  const interrupts = new Interrupts(io.world);
  const opened = await openEngine(io, { face: 'headless', asks: 'refuse', needsHome: false, trust });
  const stop = (): void => void opened.dispose();
  interrupts.signal.addEventListener('abort', stop, { once: true });
  try {
    const answer = unwrap(await opened.engine.execute({ type: 'askLanguages', ...question }));
    if (json) io.out.line(JSON.stringify(answer, undefined, 2));
    else io.out.line(visibleText(answer.text));
    return EXIT.done;
  } catch (cause) {
    if (interrupts.signal.aborted) return EXIT.cancelled;
    throw cause;
  } finally {
    interrupts.dispose();
    await opened.dispose();
  }
}
