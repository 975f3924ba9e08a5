import { codeFolder } from '../code/code-folder.ts';
import { leanHeap } from '../code/lean-heap.ts';
import { openEmbedder } from '../code/open-embedder.ts';
import { indexFolder } from '../code/with-code.ts';
import { EXIT } from '../failure.ts';
import { Interrupts } from '../headless/interrupts.ts';
import { type Io, warn } from '../io.ts';

/**
 * `black mcp`: graph, search, map and language servers over the Model Context Protocol on standard input and output, until the input ends or
 * an interrupt comes (INT-6). Indexing begins at once; what there is to say besides goes to stderr.
 */
export async function mcp({ folder }: { folder?: string }, io: Io): Promise<number> {
  const { world } = io;
  const root = await codeFolder(folder, 'black mcp FOLDER', world);
  leanHeap();
  const interrupts = new Interrupts(world);
  const [
    { CodeService, openCodeIntelligence },
    { createCodeServer },
    { openLanguages },
    { serveStdio, StdioServerTransport },
  ] = await Promise.all([
    import('@black-ide/intel'),
    import('../mcp/code-server.ts'),
    import('../mcp/language-tool.ts'),
    import('@modelcontextprotocol/server/stdio'),
  ]);
  const kept = indexFolder(root, io);
  const { embedder, dispose } = await openEmbedder(root, world);
  const ended = Promise.withResolvers<void>();
  const onEnd = (): void => ended.resolve();
  interrupts.signal.addEventListener('abort', onEnd, { once: true });
  world.stdin.once('end', onEnd).once('close', onEnd);
  io.out.onceClosed(onEnd);
  const languages = await openLanguages(root, io);
  const service = new CodeService({
    open: () => openCodeIntelligence({ root, folder: kept, embedder, onDiskChanges: languages?.noticed }),
    watch: true,
  });
  const handle = serveStdio(() => createCodeServer(service, root, languages), {
    transport: new StdioServerTransport(world.stdin, world.stdout),
    onerror: ({ message }) => warn(io, message),
  });
  try {
    await Promise.all([
      ended.promise,
      service.ready({ patience: 0, signal: interrupts.signal }).catch((cause: unknown) => {
        // The next question tries again, and tells whoever asks.
        if (!interrupts.signal.aborted) warn(io, cause instanceof Error ? cause.message : String(cause));
      }),
    ]);
    return EXIT.done;
  } finally {
    await handle.close();
    await service.dispose();
    await languages?.dispose();
    dispose();
    interrupts.dispose();
    world.stdin.destroy();
  }
}
