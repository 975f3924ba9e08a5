import type { TrackedChange } from '@black-ide/protocol';
import { beforeEach, describe, expect, it } from 'vitest';
import { widthOf } from '../text/fit-width.ts';
import { painter } from '../text/painter.ts';
import { type ActionOutcome, type ChangeActions, ChangesView } from './changes-view.ts';

const plain = painter({}, false);

/** A store of two files whose actions are recorded; `foreign` stands in the way of taking back. */
class FakeActions implements ChangeActions {
  readonly done: string[] = [];
  foreign = false;
  changes: TrackedChange[] = ['a.ts', 'b.ts'].map((path) => ({
    ...{ path, checkpointId: 'c', messageId: 'm', kind: 'modified', added: 2, removed: 1, state: 'pending' },
  })) as TrackedChange[];

  list = async () => ({ changes: this.changes, canRedo: this.done.includes('undo') });
  diff = async (path: string) => `--- a/${path}\n+++ b/${path}\n@@ -1,2 +1,3 @@\n-old\n+new of ${path}\n`;

  keep = async (path?: string): Promise<string> => {
    this.done.push(`keep ${path ?? 'all'}`);
    this.changes = this.changes.map((each) => (path && each.path !== path ? each : { ...each, state: 'kept' }));
    return 'Kept.';
  };

  restore = async (path: string, merge: boolean): Promise<ActionOutcome> => {
    if (this.foreign && !merge) return { text: `Changed since: ${path}.`, failed: true, mayMerge: true };
    this.done.push(`restore ${path}${merge ? ' merged' : ''}`);
    this.changes = this.changes.filter((each) => each.path !== path);
    return { text: `Took back ${path}.` };
  };

  undo = async (): Promise<ActionOutcome> => {
    this.done.push('undo');
    this.changes = [];
    return { text: 'Took back all.' };
  };

  redo = async (): Promise<ActionOutcome> => {
    this.done.push('redo');
    return { text: 'Brought back.' };
  };
}

let actions: FakeActions;
let view: ChangesView;
let drawn: Promise<void>;

/** Resolves when the view says that it has changed. */
function nextDraw(): void {
  drawn = new Promise((resolve) => {
    wake = resolve;
  });
}

let wake: () => void = () => undefined;

beforeEach(async () => {
  actions = new FakeActions();
  nextDraw();
  view = new ChangesView(actions, () => wake());
  await drawn;
});

async function press(key: { name?: string; text?: string }): Promise<void> {
  nextDraw();
  view.key(key);
  await drawn;
}

const screen = (columns = 60, rows = 16) => view.draw(columns, rows, plain).lines;

describe('the view of changes', () => {
  it('IDE-49 shows the files, and the hunks of the one that is chosen', async () => {
    expect(screen()[0]).toBe('Changes · 2 pending of 2');
    expect(screen().slice(1, 3)).toEqual(['› ✎ a.ts  +2 −1', '  ✎ b.ts  +2 −1']);
    expect(screen()).toContain('+new of a.ts');
    await press({ name: 'down' });
    expect(screen()).toContain('+new of b.ts');
    expect(screen()).not.toContain('+new of a.ts');
    expect(view.key({ name: 'escape' })).toBe('close');
  });

  it('IDE-49 keeps one, takes the other back, undoes and redoes', async () => {
    await press({ text: 'k' });
    expect(screen()[1]).toBe('› ✎ a.ts  +2 −1  kept');
    await press({ name: 'down' });
    await press({ text: 'r' });
    expect(screen()).toContain('Took back b.ts.');
    await press({ text: 'u' });
    expect(screen()[1]).toBe('No changes to keep or to take back.');
    await press({ text: 'y' });
    expect(actions.done).toEqual(['keep a.ts', 'restore b.ts', 'undo', 'redo']);
  });

  it('IDE-51 names what somebody else changed, and merges only when told so in the next key', async () => {
    actions.foreign = true;
    await press({ text: 'r' });
    expect(screen()).toContain('Changed since: a.ts.');
    expect(screen(100).at(-2)).toContain('m merge, keeping that');
    await press({ text: 'm' });
    expect(actions.done).toEqual(['restore a.ts merged']);
    await press({ text: 'r' });
    await press({ text: 'K' });
    view.key({ text: 'm' });
    expect(actions.done).toEqual(['restore a.ts merged', 'keep all']);
  });

  it('IDE-50 tells the whole reason for a refusal, on as many lines as it needs', async () => {
    const words =
      'Nothing was restored: a.ts: hunk @@ -12,7 +12,9 @@ does not apply: its lines have been changed since.';
    actions.restore = async () => ({ text: words, failed: true });
    await press({ text: 'r' });
    for (const columns of [40, 60, 120]) expect(screen(columns).join(' ')).toContain(words);
    const tight = screen(40, 8);
    expect(tight).toHaveLength(8);
    expect(tight.join(' ')).toContain('Nothing was restored: a.ts: hunk');
    expect(tight.join(' ')).toContain('… k keep');
  });

  it('IDE-49 fits 40 columns and 8 rows, with every key', () => {
    const lines = screen(40, 8);
    expect(lines).toHaveLength(8);
    for (const line of lines) expect(widthOf(line)).toBeLessThanOrEqual(40);
    const keys = 'k keep r restore K keep all u undo message ↑ ↓ choose PgUp PgDn scroll Esc closes';
    expect(lines.slice(-3).join(' ').replaceAll(' · ', ' ')).toBe(keys);
    expect(lines).toContain('--- a/a.ts');
  });
});
