import type { ChatInvocation } from '../args/parse-invocation.ts';
import { EXIT } from '../failure.ts';
import type { Io } from '../io.ts';
import { canPaint, painter } from '../text/painter.ts';
import { Completions } from './completions.ts';
import { InlineFace } from './inline-face.ts';
import { showsUnicode } from './marks.ts';
import type { Tui } from './tui.ts';

/**
 * `black`: the terminal UI, from its first paint to its end (IDE-83). The face is painted before the engine, the disk
 * and the rest are even loaded; what is sent meanwhile waits for them.
 */
export async function runTui(invocation: ChatInvocation, io: Io): Promise<number> {
  const { world, out } = io;
  const unicode = showsUnicode(world.env, world.platform);
  const done = Promise.withResolvers<number>();
  const early: string[] = [];
  let tui: Tui | undefined;
  let isReady = false;
  const submit = (text: string): void => {
    if (tui && isReady) void tui.submit(text);
    else early.push(text);
  };
  const quit = (): void => done.resolve(EXIT.done);
  // A signal that asks us to go, and a terminal that is gone, end the same way: the task is cancelled, the log is whole.
  const stopListening = world.onInterrupt(() => {
    if (!tui?.interrupt()) done.resolve(EXIT.cancelled);
  });
  out.onceClosed(() => done.resolve(EXIT.cancelled));
  const isPlain = invocation.plain || Boolean(world.env.BLACK_PLAIN) || !canPaint(world.env, true);
  const inline = isPlain ? undefined : openInline();
  const { Tui: TuiClass, PlainFace } = await import('./tui.ts');
  const face = inline ?? PlainFace.start({ out, stdin: world.stdin, unicode, submit, quit });
  tui = new TuiClass({ invocation, io, face, inline, quit });
  try {
    await tui.begin();
    isReady = true;
    for (const text of early) await tui.submit(text);
    return await done.promise;
  } finally {
    await tui.dispose();
    // Until here: a terminal that goes away sends its signal more than once.
    stopListening();
  }

  function openInline(): InlineFace {
    const completions = new Completions({
      commands: () => tui?.commands ?? [],
      paths: async () => (await tui?.paths()) ?? [],
      argumentsOf: async (command) => (await tui?.argumentsOf(command)) ?? [],
    });
    const paint = painter(world.env, true);
    const opened = new InlineFace({
      world,
      out,
      paint,
      unicode,
      completions,
      submit,
      quit,
      details: () => tui?.details(),
    });
    const { mode = 'Agent', model = '' } = invocation;
    opened.start({ mode, model, cost: 0, unpriced: false });
    return opened;
  }
}
