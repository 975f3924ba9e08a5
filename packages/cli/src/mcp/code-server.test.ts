import { type CodeIntelligence, CodeService, type RefreshProgress } from '@black-ide/intel';
import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { describe, expect, it } from 'vitest';
import { createCodeServer } from './code-server.ts';

/** A server over code whose first index takes as long as a test wants. */
async function connect() {
  const indexed = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<(progress: RefreshProgress) => void>();
  const patience = Promise.withResolvers<void>();
  const index = { search: async () => [] };
  const code = {
    index,
    complete: false,
    refresh: async ({ signal, onProgress }: { signal: AbortSignal; onProgress(progress: RefreshProgress): void }) => {
      begun.resolve(onProgress);
      signal.addEventListener('abort', () => indexed.reject(signal.reason));
      await indexed.promise;
      code.complete = true;
    },
    dispose: async () => undefined,
  };
  const service = new CodeService({
    open: async () => code as unknown as CodeIntelligence,
    watch: false,
    wait: (_ms, signal) =>
      new Promise((resolve, reject) => {
        patience.promise.then(() => resolve(undefined));
        signal.addEventListener('abort', () => reject(signal.reason));
      }),
  });
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  await createCodeServer(service, '/work').connect(ours as never);
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(theirs);
  return { client, service, indexed, begun: begun.promise, impatient: patience.resolve };
}

const SEARCH = { name: 'codebase_search', arguments: { query: 'x' } };

describe('createCodeServer', () => {
  it('INT-6 tells a client that wants to know how far the indexing is', async () => {
    const { client, service, indexed, begun } = await connect();
    const told: { progress: number; total?: number | undefined }[] = [];
    const answer = client.callTool(SEARCH, { onprogress: ({ progress, total }) => told.push({ progress, total }) });
    const tell = await begun;
    for (const done of [1, 500, 501, 1000, 1000]) tell({ done, total: 1000 });
    indexed.resolve();
    expect(await answer).toMatchObject({ structuredContent: { complete: true, hits: [] } });
    expect(told).toEqual([
      { progress: 500, total: 1000 },
      { progress: 1000, total: 1000 },
    ]);
    await service.dispose();
  });

  it('INT-13 answers with what is indexed so far when it takes too long, and says so', async () => {
    const { client, service, begun, impatient } = await connect();
    const answer = client.callTool(SEARCH);
    await begun;
    impatient();
    const { content, structuredContent } = (await answer) as { content: { text: string }[]; structuredContent: object };
    expect(structuredContent).toMatchObject({ complete: false });
    expect(content[0]!.text).toContain('Not everything is indexed yet');
    await service.dispose();
  });

  it('INT-6 a cancelled call ends, and the next one is answered', async () => {
    const { client, service, indexed, begun } = await connect();
    const controller = new AbortController();
    const cancelled = client.callTool(SEARCH, { signal: controller.signal });
    await begun;
    controller.abort();
    await expect(cancelled).rejects.toThrow();
    const next = client.callTool(SEARCH);
    indexed.resolve();
    expect(await next).toMatchObject({ structuredContent: { complete: true } });
    await service.dispose();
  });
});
