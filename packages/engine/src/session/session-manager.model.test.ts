import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { SessionManager } from './session-manager.ts';
import { SessionStore } from './session-store.ts';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'session-model-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

/** What the tree should be, in the simplest way that could be right. */
class Model {
  entries: { id: string; parentId: string | null; label?: { target: string; text: string } }[] = [];
  leaf: string | null = null;

  get labels(): Map<string, string> {
    const labels = new Map<string, string>();
    for (const { label } of this.entries) if (label) labels.set(label.target, label.text);
    return new Map([...labels].filter(([, text]) => text !== ''));
  }

  add(id: string, parentId: string | null, label?: { target: string; text: string }): void {
    this.entries.push({ id, parentId, ...(label ? { label } : {}) });
    this.leaf = id;
  }

  path(id: string | null): Model['entries'] {
    const entry = this.entries.find((each) => each.id === id);
    return entry ? [...this.path(entry.parentId), entry] : [];
  }
}

type Step =
  | { do: 'append' | 'reset' }
  | { do: 'branch' | 'summary' | 'extract'; at: number }
  | { do: 'label'; at: number; text: string };

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: fc.constant({ do: 'append' as const }) },
  { weight: 1, arbitrary: fc.constant({ do: 'reset' as const }) },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constantFrom('branch' as const, 'summary' as const), at: fc.nat(30) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('extract' as const), at: fc.nat(30) }) },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('label' as const), at: fc.nat(30), text: fc.constantFrom('', 'a', 'b') }),
  },
);

describe('SessionManager against a naive model', () => {
  for (const inMemory of [true, false]) {
    it(`SES-8 SES-9 SES-12 SES-13 any course of operations gives the model's tree, ${inMemory ? 'in memory' : 'on disk and read again'}`, async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
          const store = new SessionStore({ home, inMemory, now: () => 0 });
          using session = store.create({ cwd: home });
          let model = new Model();
          for (const each of steps) {
            model = take(each, session, model);
            compare(session, model);
          }
          session.close();
          if (session.getEntries().length === 0) return;
          using again = await store.open(session.getSessionId(), home);
          expect(again.problems).toEqual([]);
          expect(again.getHeader()).toEqual(session.getHeader());
          model.leaf = model.entries.at(-1)?.id ?? null;
          compare(again, model);
        }),
      );
    });
  }
});

function take(step: Step, session: SessionManager, model: Model): Model {
  const picked = 'at' in step ? model.entries[step.at % Math.max(1, model.entries.length)] : undefined;
  switch (step.do) {
    case 'append': {
      const parent = model.leaf;
      model.add(session.append({ type: 'custom', customType: 'x' }).id, parent);
      return model;
    }
    case 'reset':
      session.resetLeaf();
      model.leaf = null;
      return model;
    case 'summary':
      model.add(session.branchWithSummary(picked?.id ?? null, 's').id, picked?.id ?? null);
      return model;
    case 'branch':
      if (!picked) return model;
      session.branch(picked.id);
      model.leaf = picked.id;
      return model;
    case 'label': {
      if (!picked) return model;
      const parent = model.leaf;
      const label = { target: picked.id, text: step.text };
      model.add(session.appendLabelChange(picked.id, step.text).id, parent, label);
      return model;
    }
    case 'extract':
      return picked ? extract(picked.id, session, model) : model;
  }
}

function extract(leaf: string, session: SessionManager, model: Model): Model {
  session.createBranchedSession(leaf);
  const next = new Model();
  for (const { id, label } of model.path(leaf)) if (!label) next.add(id, next.leaf);
  const kept = next.entries.map(({ id }) => id).filter((id) => model.labels.has(id));
  const fresh = session.getEntries().slice(next.entries.length);
  expect(fresh).toHaveLength(kept.length);
  kept.forEach((target, i) => {
    next.add(fresh[i]!.id, next.leaf, { target, text: model.labels.get(target)! });
  });
  return next;
}

function compare(session: SessionManager, model: Model): void {
  expect(session.getEntries().map(({ id, parentId }) => ({ id, parentId }))).toEqual(
    model.entries.map(({ id, parentId }) => ({ id, parentId })),
  );
  expect(session.getLeafId()).toBe(model.leaf);
  expect(session.getBranch().map(({ id }) => id)).toEqual(model.path(model.leaf).map(({ id }) => id));
  for (const { id } of model.entries) {
    expect(session.getLabel(id)).toBe(model.labels.get(id));
    expect(session.getChildren(id).map((child) => child.id)).toEqual(
      model.entries.filter(({ parentId }) => parentId === id).map((child) => child.id),
    );
  }
}
