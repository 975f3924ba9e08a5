import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { CodePlace } from './fixtures/use-code.ts';

const name = fc.constantFrom('a', 'b', 'c.log', 'd.png', 'line\nbreak', '.gitignore', '.blackideignore');
const path = fc.array(name, { minLength: 1, maxLength: 3 }).map((names) => names.join('/'));
const text = fc.constantFrom('one', 'two', 'oops', 'nul \0', '*.log', '/a', '!c.log', 'too much');
const change = fc.oneof(
  { weight: 4, arbitrary: fc.record({ act: fc.constant('write' as const), path, text }) },
  fc.record({ act: fc.constant('remove' as const), path }),
  fc.record({ act: fc.constant('move' as const), path, to: path }),
  fc.record({ act: fc.constant('link' as const), path, to: path }),
);
const look = fc.oneof(
  fc.record({ act: fc.constant('refresh' as const) }),
  fc.record({ act: fc.constant('refreshFiles' as const), paths: fc.array(path, { maxLength: 3 }) }),
  fc.record({ act: fc.constant('cancel' as const), after: fc.nat(5) }),
  fc.record({ act: fc.constant('reopen' as const) }),
  fc.record({ act: fc.constant('together' as const), paths: fc.array(path, { maxLength: 3 }) }),
);
const steps = fc.array(fc.oneof({ weight: 3, arbitrary: change }, look), { minLength: 1, maxLength: 20 });

type Step = typeof change extends fc.Arbitrary<infer T> ? T : never;

function apply(place: CodePlace, step: Step): void {
  const at = place.workspace.at(step.path);
  if (step.act === 'write') {
    mkdirSync(dirname(at), { recursive: true });
    writeFileSync(at, step.text);
  } else if (step.act === 'remove') rmSync(at, { recursive: true, force: true });
  else if (step.act === 'move') renameSync(at, place.workspace.at(step.to));
  else symlinkSync(step.to, at);
}

/** Random steps may not fit what is there. */
function ifPossible(act: () => void): void {
  try {
    act();
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? '';
    // `rmSync` has no code for a circle of links.
    if (!['EEXIST', 'ENOTDIR', 'EISDIR', 'ENOENT', 'ENOTEMPTY', 'EINVAL', 'ELOOP', ''].includes(code)) throw error;
  }
}

it('INT-4 knows after any changes, looks, cancelled looks and restarts what a look from the beginning finds', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (all) => {
      await using place = await CodePlace.make();
      let opened = place.open();
      for (const step of all) {
        const { code, parser } = opened;
        switch (step.act) {
          case 'refresh':
            await code.refresh();
            break;
          case 'refreshFiles':
            await code.refreshFiles(step.paths);
            break;
          case 'together':
            await Promise.all([code.refresh(), code.refreshFiles(step.paths), code.refresh()]);
            break;
          case 'cancel': {
            const cancel = new AbortController();
            const end = parser.read.length + step.after;
            parser.before = () => parser.read.length >= end && cancel.abort(new Error('stop'));
            await code.refresh({ signal: cancel.signal }).catch(() => undefined);
            parser.before = () => undefined;
            break;
          }
          case 'reopen':
            await code.dispose();
            opened = place.open();
            break;
          default:
            ifPossible(() => apply(place, step));
        }
        // Asked at any time, the layers answer.
        opened.known();
      }
      const { code, known } = opened;
      await code.refresh();
      expect(known()).toEqual(await place.cold());
      const { files, parsed, partial, text: texts, skipped, binary, unreadable } = code.report();
      expect(parsed + partial + texts + skipped + binary + unreadable).toBe(files);
      expect(await code.refresh()).toMatchObject({ added: 0, changed: 0, removed: 0, unchanged: files });
    }),
  );
}, 600_000);
