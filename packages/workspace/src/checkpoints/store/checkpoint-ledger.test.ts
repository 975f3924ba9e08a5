import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { CheckpointLedger } from './checkpoint-ledger.ts';
import { ManifestFile } from './manifest-file.ts';
import type { ChangeRecord, ManifestRecord } from './records.ts';

const id = fc.constantFrom('a', 'b', 'c', 'd');
const refs = fc.array(fc.tuple(id, fc.nat(1)), { maxLength: 3 });

function change(name: string, more: Partial<ChangeRecord>): ChangeRecord {
  const state = { version: 'v', size: 1, mode: 0o644 };
  const file = {
    kind: 'modified',
    before: state,
    after: state,
    reverse: { kind: 'same' },
    added: 0,
    removed: 0,
  } as const;
  const files = ['x', 'y'].map((path) => ({ path, ...file }));
  return { t: 'change', v: 1, id: name, kind: 'edit', sessionId: 's', messageId: 'm', at: 0, files, ...more };
}

const step = fc.oneof(
  fc.record({ do: fc.constant('edit' as const), id }),
  fc.record({ do: fc.constant('keep' as const), refs }),
  fc.record({ do: fc.constant('restore' as const), refs }),
  fc.record({ do: fc.constant('redo' as const) }),
  fc.record({ do: fc.constant('retract' as const) }),
  fc.record({ do: fc.constant('condense' as const) }),
);

const shown = (ledger: CheckpointLedger) =>
  ledger.entries().map(({ record, states, redone }) => [record.id, states, redone]);

it('IDE-49 property: who follows the manifest knows what who reads it anew knows, whatever is added, retracted or condensed', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(step, fc.boolean()), { maxLength: 14 }), async (steps) => {
      const folder = mkdtempSync(join(tmpdir(), 'ledger-'));
      try {
        const file = new ManifestFile(folder);
        const follower = new CheckpointLedger(file);
        const ids: string[] = [];
        const append = async (record: ManifestRecord) => await file.append(record);
        for (const [n, [each, looks]] of steps.entries()) {
          const name = `${n}`;
          if (each.do === 'edit') await append(change(each.id, {}));
          if (each.do === 'keep') await append({ t: 'keep', v: 1, of: each.refs });
          if (each.do === 'restore') await append(change(name, { kind: 'restore', settles: each.refs }));
          if (each.do === 'restore') ids.push(name);
          if (each.do === 'redo' && ids.length > 0) await append(change(name, { kind: 'redo', redoes: ids.pop()! }));
          if (each.do === 'retract') file.retract(name === '0' ? 'a' : `${n - 1}`);
          if (each.do === 'condense') {
            const ledger = new CheckpointLedger(file);
            ledger.refresh();
            const before = shown(ledger);
            file.replace(
              ledger.entries().map(({ record, states, previous, redone }) => {
                return { ...record, states, previous, ...(redone ? { redone } : {}) };
              }),
            );
            const condensed = new CheckpointLedger(file);
            condensed.refresh();
            expect(shown(condensed)).toEqual(before);
          }
          if (!looks) continue;
          follower.refresh();
          const anew = new CheckpointLedger(file);
          anew.refresh();
          expect(shown(follower)).toEqual(shown(anew));
        }
      } finally {
        rmSync(folder, { recursive: true });
      }
    }),
  );
});
