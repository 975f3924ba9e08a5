import type { RestoredFiles, TrackedChange } from '@black-ide/protocol';
import { describe, expect, it } from 'vitest';
import { FakeEngine } from '../testing/fake-engine.ts';
import { runBlack } from '../testing/test-world.ts';

const change: TrackedChange = {
  ...{ path: 'a.ts', kind: 'modified', added: 2, removed: 1 },
  ...{ checkpointId: 'c', messageId: '00000001', state: 'pending' },
};

/** An engine whose session has changed a.ts; `held` by another program, if so. */
function changed(undone: () => object, held = false): FakeEngine {
  const engine: FakeEngine = new FakeEngine({
    openSession: ({ session }) => {
      const header = { type: 'session', version: 3, id: session, timestamp: '2026-11-30T13:44:00.000Z', cwd: '' };
      const sessionId = engine.sessionId;
      return { sessionId, header, problems: [], ...(held ? { readOnly: 'The process 7 has it open.' } : {}) };
    },
    listChanges: () => ({ changes: [change], canRedo: false }),
    undoMessage: undone,
  });
  engine.user('do it');
  return engine;
}

const restored: RestoredFiles = { files: [{ ...change, merged: false }], skipped: [] };

describe('black undo', () => {
  it('IDE-49 lists while another program has the session open, and sends who wants to undo there', async () => {
    const engine = changed(() => ({ ...restored, messageId: '00000001' }), true);
    const listed = await runBlack(['undo', '--list'], { engine });
    expect(listed).toMatchObject({ code: 0, out: '00000001  do it\n  ✎ a.ts  +2 −1\n' });
    const refused = await runBlack(['undo'], { engine });
    expect(refused).toMatchObject({ code: 1, out: '' });
    expect(refused.err).toMatch(/can only be read: The process 7 has it open\.\n.*use \/undo.* there/s);
    expect(engine.commands.map(({ type }) => type)).not.toContain('undoMessage');
  });

  it('IDE-51 says what the undo does not cover', async () => {
    const notCovered = [{ path: 'node_modules/' }, { path: '.env', gone: true }];
    const engine = changed(() => ({ ...restored, messageId: '00000001', notCovered }));
    const { out, err } = await runBlack(['undo'], { engine });
    expect(out).toContain('Took the changes of 1 file back.');
    expect(err).toContain('black: not covered, still there: node_modules/.\nblack: not covered, gone: .env.\n');
    const json = await runBlack(['undo', '--json'], { engine });
    expect(JSON.parse(json.out)).toMatchObject({ notCovered });
  });

  it('IDE-50 fails where it left files alone, and names them', async () => {
    const skipped = [{ path: 'b.ts', why: 'it is a symbolic link now' }];
    const engine = changed(() => ({ ...restored, skipped, messageId: '00000001' }));
    const { code, err } = await runBlack(['undo'], { engine });
    expect(code).toBe(1);
    expect(err).toContain('b.ts was left alone: it is a symbolic link now.');
    expect((await runBlack(['undo', '--json'], { engine })).code).toBe(1);
  });

  it('IDE-50 a refusal says how one file is taken back', async () => {
    const conflict = { code: 'conflict', message: 'Nothing was restored: a.ts: no.', next: 'Mend a.ts by hand.' };
    const engine = changed(() => ({ ok: false, error: conflict }));
    expect((await runBlack(['undo'], { engine })).err).toMatch(
      /Nothing was restored: a\.ts: no\.\n.*Mend a\.ts by hand\. black undo --file FILE takes one file back\./s,
    );
    const since = { code: 'changed_since', message: 'You or another program changed a.ts since.', next: 'Again.' };
    const foreign = changed(() => ({ ok: false, error: since }));
    expect((await runBlack(['undo'], { engine: foreign })).err).toContain('With --merge what was changed since stays');
  });
});
