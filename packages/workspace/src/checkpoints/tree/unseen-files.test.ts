import { lstatSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { UndoPlace } from '../fixtures/undo-place.ts';
import { isOlder } from './tree.ts';

let place: UndoPlace;

beforeEach(() => {
  place = new UndoPlace();
  place.put('.gitignore', '*.log\n.env\nig/\n');
  place.put('a.txt', 'a\n');
  place.shell('git init -q -b main; git add -A; git commit -qm start');
  place.put('.env', 'KEY=precious\n');
  place.put('ig/data.db', 'precious\n');
  place.shell('mkdir ig/empty');
  untilOlder('ig/data.db');
});

afterEach(() => place.dispose());

/** Until the file system's clock has gone on: what is younger than a tick may be the command's. */
function untilOlder(path: string): void {
  const { ctimeMs } = lstatSync(join(place.root, path));
  const clock = join(place.base, 'clock');
  do writeFileSync(clock, '');
  while (!isOlder(ctimeMs, lstatSync(clock).mtimeMs));
}

const ALL = 'find . -path ./.git -prune -o -printf "%p %y %m\\n" | sort; cat .env ig/data.db';

describe('files that a snapshot has passed over', () => {
  it.each([
    ['fewer rules', 'printf "*.log\\n" > .gitignore'],
    ['no rules', 'rm .gitignore'],
    ['other rules of another commit', 'git checkout -q -b other; git rm -q .gitignore; git commit -qm other'],
    ['a file that git tracks from now on', 'git add -f .env ig/data.db; echo x >> .gitignore'],
  ])('IDE-51 ignored files are never deleted by an undo: %s', async (_, line) => {
    const before = place.shell(ALL);
    const { checkpoint, uncovered } = await place.command(`${line}; echo b > b.txt`);
    expect(checkpoint?.files.map(({ path }) => path)).toEqual(['.gitignore', 'b.txt']);
    // Nobody has touched them: there is nothing to tell.
    expect(uncovered).toEqual([]);
    expect(await place.manager.restore({ sessionId: 's1', messageId: 'm1' })).toMatchObject({ ok: true });
    expect(place.shell(ALL)).toBe(before);
  });

  it('IDE-51 an ignored file that a command wrote to, or moved to where it is seen, is named and stays', async () => {
    const { checkpoint, uncovered } = await place.command(
      'printf "*.log\\n" > .gitignore; echo MORE=1 >> .env; mv ig/data.db data.db; echo n > ig/new.db',
    );
    expect(checkpoint?.files.map(({ path }) => path)).toEqual(['.gitignore']);
    expect(uncovered.sort()).toEqual(['.env', 'data.db', 'ig/', 'ig/new.db']);
    await place.manager.restore({ sessionId: 's1', messageId: 'm1' });
    expect(place.shell('cat .env data.db')).toBe('KEY=precious\nMORE=1\nprecious\n');
  });

  it('IDE-51 a file moved in from elsewhere is not deleted, one renamed and written to is taken back', async () => {
    place.put('../elsewhere.txt', 'the only one\n');
    untilOlder('../elsewhere.txt');
    const { uncovered } = await place.command('mv ../elsewhere.txt here.txt; mv a.txt b.txt; echo more >> b.txt');
    expect(uncovered).toEqual(['here.txt']);
    await place.manager.restore({ sessionId: 's1', messageId: 'm1' });
    expect(place.shell('cat a.txt here.txt; ls')).toBe('a\nthe only one\na.txt\nhere.txt\nig\n');
  });

  it('IDE-51 files whose names are no UTF-8 are named before, and when they come or go', async () => {
    place.shell("printf 1 > $'\\xff\\xfe'; mkdir $'d\\xff'; printf 2 > $'d\\xff'/in");
    const odd = ['\uFFFD\uFFFD', 'd\uFFFD/'];
    expect((await place.manager.coverage()).unreadable.sort()).toEqual(odd.toSorted());
    const gone = await place.command("rm -r $'\\xff\\xfe' $'d\\xff'");
    expect(gone.checkpoint).toBeUndefined();
    expect(gone.uncovered.sort()).toEqual(odd.toSorted());
    const { uncovered } = await place.command("printf 1 > $'new\\xff'");
    expect(uncovered).toEqual(['new\uFFFD']);
  });

  it('IDE-51 what a command only hides is not told as deleted', async () => {
    place.put('dir/c.txt', 'c\n');
    place.put('dir/d.txt', 'd\n');
    const before = place.shell(ALL);
    const { checkpoint } = await place.command('echo dir/ >> .gitignore; echo D > dir/d.txt');
    expect(checkpoint?.files.map(({ path, kind }) => `${kind} ${path}`)).toEqual([
      'modified .gitignore',
      'modified dir/d.txt',
    ]);
    expect(await place.manager.restore({ sessionId: 's1', messageId: 'm1' })).toMatchObject({ ok: true });
    expect(place.shell(`${ALL}; cat dir/d.txt`)).toBe(`${before}d\n`);
  });
});
