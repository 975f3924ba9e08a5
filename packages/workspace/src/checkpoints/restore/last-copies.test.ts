import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { UndoPlace } from '../fixtures/undo-place.ts';

let place: UndoPlace;

beforeEach(() => {
  place = new UndoPlace();
  place.put('src/a.txt', 'one\n');
  place.put('src/b.txt', 'second\n');
  place.shell('git init -q -b main; git add -A; git commit -qm start; touch -d "+1 hour" .git/index');
});

afterEach(() => place.dispose());

/** What lies beside the command line does not say what it does. */
async function script(lines: string, messageId = 'm1'): Promise<string[]> {
  place.put('../run.sh', lines);
  return (await place.command('bash ../run.sh', place.origin(messageId))).uncovered;
}

describe('the last copy of a file', () => {
  it('IDE-50 is not deleted where a command destroyed what git had', async () => {
    expect(await script('cp -r src src2; tar cf all.tar src; rm -rf .git src; echo more >> src2/b.txt')).toEqual([
      'src/a.txt',
      'src/b.txt',
    ]);
    const undone = await place.manager.restore({ sessionId: 's1', messageId: 'm1' });
    expect(undone).toMatchObject({ ok: false, error: { code: 'all_skipped' } });
    expect(place.shell('cat src2/*; ls')).toBe('one\nsecond\nmore\nall.tar\nsrc2\n');
    // Brought back by hand: the rest can go.
    place.shell('tar xf all.tar');
    expect(await place.manager.restore({ sessionId: 's1', messageId: 'm1' })).toMatchObject({ ok: true, skipped: [] });
    expect(place.shell('find . -type f | sort')).toBe('./src/a.txt\n./src/b.txt\n');
  });

  it('IDE-50 what git still has is found without its index, and copied before a command names it', async () => {
    expect(await script('rm -rf src .git/index')).toEqual([]);
    expect(await place.manager.restore({ sessionId: 's1', messageId: 'm1' })).toMatchObject({ ok: true });
    const watch = await place.manager.beforeCommand(place.origin('m2'), undefined, 'rm -rf src .git');
    place.shell('rm -rf src .git');
    expect((await watch.settle()).uncovered).toEqual([]);
    watch.end();
    expect(await place.manager.restore({ sessionId: 's1', messageId: 'm2' })).toMatchObject({ ok: true });
    expect(place.shell('cat src/*')).toBe('one\nsecond\n');
  });

  it('IDE-50 of a file too large to be copied stays, also when a later message destroyed it', async () => {
    place.put('large.bin', Buffer.alloc(17 * 1024 * 1024));
    await script('cp large.bin copy.bin; echo x > other.txt');
    expect(await script('echo x >> large.bin', 'm2')).toEqual(['large.bin']);
    const undone = await place.manager.restore({ sessionId: 's1', messageId: 'm1' });
    expect(undone).toMatchObject({ ok: true, files: [{ path: 'other.txt' }], skipped: [{ path: 'copy.bin' }] });
    expect(place.shell('ls')).toBe('copy.bin\nlarge.bin\nsrc\n');
  });
});
