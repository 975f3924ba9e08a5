import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseTraces } from './parse-traces.ts';

/** What a trace says, in short: `file:line symbol`, the innermost first. */
function short(text: string): string[][] {
  return parseTraces(text).map(({ frames }) =>
    frames.map(
      ({ file, line, symbol }) => `${file ?? '?'}${line === undefined ? '' : `:${line}`}${symbol ? ` ${symbol}` : ''}`,
    ),
  );
}

describe('parseTraces', () => {
  it('DX-9 reads Python, with the innermost frame first, its code and what it says', () => {
    const text = `It fails:

Traceback (most recent call last):
  File "/srv/app/main.py", line 3, in <module>
    start()
  File "/srv/app/store.py", line 12, in save
    raise ValueError("no title")
ValueError: no title
and then stops.`;
    expect(short(text)).toEqual([['/srv/app/store.py:12 save', '/srv/app/main.py:3 <module>']]);
    const [trace] = parseTraces(text);
    expect(trace).toMatchObject({ language: 'python', message: 'ValueError: no title', startLine: 4, endLine: 7 });
    expect(trace!.frames[0]!.code).toBe('raise ValueError("no title")');
  });

  it('DX-9 reads V8, with files, addresses, async and built-in frames', () => {
    const text = `TypeError: Cannot read properties of undefined (reading 'x')
    at Store.save (file:///home/me/app/src/store.ts:12:5)
    at async Object.run [as go] (/home/me/app/node_modules/koa/lib/app.js:88:3)
    at https://example.com/static/js/main.4f2.js:1:2345
    at new Note (webpack-internal:///./src/note.tsx:7:1)
    at process.processTicksAndRejections (node:internal/process/task_queues:95:5)`;
    expect(short(text)).toEqual([
      [
        'file:///home/me/app/src/store.ts:12 Store.save',
        '/home/me/app/node_modules/koa/lib/app.js:88 Object.run [as go]',
        'https://example.com/static/js/main.4f2.js:1',
        'webpack-internal:///./src/note.tsx:7 Note',
      ],
    ]);
    expect(parseTraces(text)[0]!.message).toMatch(/^TypeError: Cannot read/);
  });

  it('DX-9 reads Firefox and Safari', () => {
    expect(short('save@https://example.com/app.js:12:5\nrun/<@https://example.com/app.js:3:1')).toEqual([
      ['https://example.com/app.js:12 save', 'https://example.com/app.js:3 run/<'],
    ]);
  });

  it('DX-9 reads Java and Kotlin, also where the file was taken out', () => {
    const text = `Exception in thread "main" java.lang.IllegalStateException: no title
\tat com.example.notes.Store.save(Store.kt:42)
\tat com.example.notes.Store$Companion.open(Store.kt:12)
\tat app//org.example.Main.main(Main.java:7)
\tat a.b.c.run(SourceFile:3)
Caused by: java.io.IOException: disk full
\tat com.example.notes.Disk.write(Disk.java:9)
\t... 12 more`;
    expect(short(text)).toEqual([
      [
        'com/example/notes/Store.kt:42 Store.save',
        'com/example/notes/Store.kt:12 Store.Companion.open',
        'org/example/Main.java:7 Main.main',
        'a/b/c.java c.run',
        'com/example/notes/Disk.java:9 Disk.write',
      ],
    ]);
  });

  it('DX-9 reads Android logs and ANRs', () => {
    const text = `01-02 10:11:12.123  1234  1234 E AndroidRuntime: FATAL EXCEPTION: main
01-02 10:11:12.123  1234  1234 E AndroidRuntime: java.lang.NullPointerException: oops
01-02 10:11:12.123  1234  1234 E AndroidRuntime: \tat de.danoeh.Queue.add(Queue.java:55)`;
    expect(short(text)).toEqual([['de/danoeh/Queue.java:55 Queue.add']]);
    expect(short('"main" prio=5 tid=1 Blocked\n  at de.danoeh.Queue.lock(Queue.java:9)')).toEqual([
      ['de/danoeh/Queue.java:9 Queue.lock'],
    ]);
  });

  it('DX-9 reads Go, with the function above its place', () => {
    const text = `panic: runtime error: index out of range [3] with length 3

goroutine 1 [running]:
example.com/notes/store.(*Store).Save(0xc000010000)
\t/home/me/notes/store/store.go:31 +0x1d
main.main()
\t/home/me/notes/main.go:9 +0x25`;
    expect(short(text)).toEqual([
      ['/home/me/notes/store/store.go:31 store.(*Store).Save', '/home/me/notes/main.go:9 main.main'],
    ]);
    expect(parseTraces(text)[0]!.message).toMatch(/^panic: runtime error/);
  });

  it('DX-9 reads Rust, old and new', () => {
    expect(short("thread 'main' panicked at src/store.rs:12:5:\nno title")).toEqual([['src/store.rs:12']]);
    expect(short("thread 'main' panicked at 'no title', src/store.rs:12:5")).toEqual([['src/store.rs:12']]);
    expect(short('   3: notes::store::save\n             at ./src/store.rs:12:5')).toEqual([['./src/store.rs:12']]);
  });

  it.each([
    [
      'C#',
      '   at Acme.Notes.Store.Save(String title) in C:\\src\\Notes\\Store.cs:line 12',
      ['C:\\src\\Notes\\Store.cs:12 Acme.Notes.Store.Save'],
    ],
    ['Ruby', "/app/lib/store.rb:12:in `save'", ['/app/lib/store.rb:12 save']],
    ['Ruby 3.4', "\tfrom /app/lib/store.rb:9:in 'block in Store#each'", ['/app/lib/store.rb:9 Store#each']],
    ['PHP', '#0 /var/www/src/Store.php(12): Notes\\Store->save()', ['/var/www/src/Store.php:12 Notes\\Store->save']],
    [
      'PHP, where it was thrown',
      'PHP Fatal error:  Uncaught Exception: no title in /var/www/src/Store.php:12',
      ['/var/www/src/Store.php:12'],
    ],
    ['gdb', '#1  0x0000555 in save (store=0x0) at src/store.c:12', ['src/store.c:12 save']],
    ['lldb', '  * frame #1: 0x0000 app`save(store=0x0) at store.c:12:5', ['store.c:12 save']],
    ['ASan', '    #1 0x4f5b in Store::save(Note const&) /src/store.cc:12:5', ['/src/store.cc:12 Store::save']],
    ['an assertion of C', "app: src/store.c:12: save: Assertion `s' failed.", ['src/store.c:12 save']],
    [
      'Swift on iOS',
      '4   Notes   0x0001042 NoteStore.save(_:) + 120 (NoteStore.swift:42)',
      ['NoteStore.swift:42 NoteStore.save(_:)'],
    ],
    ['Swift', 'Fatal error: Index out of range: file Notes/NoteStore.swift, line 42', ['Notes/NoteStore.swift:42']],
  ])('DX-9 reads %s', (_, text, frames) => {
    expect(short(text)).toEqual([frames]);
  });

  it('DX-9 takes no prose for a trace', () => {
    const prose =
      'I look at store.ts and see nothing at all.\nat home (today) it works.\n#1 is the best.\nThe time is 12:30:15.';
    expect(parseTraces(prose)).toEqual([]);
  });

  it('DX-9 property: any text is read, in a time that grows with its length', () => {
    const pieces = fc.constantFrom(
      'at ',
      '(',
      ')',
      ':12',
      '.js',
      'a.b.',
      '#1 ',
      '0x1f ',
      ' in ',
      'File "',
      '", line ',
      '\n',
      '\t',
      ' ',
      '$',
      '<',
      '→',
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(pieces, fc.string({ maxLength: 6 })), { maxLength: 300 }), (parts) => {
        const traces = parseTraces(parts.join(''));
        expect(traces.every(({ frames, startLine, endLine }) => frames.length > 0 && startLine <= endLine)).toBe(true);
      }),
    );
  });
});
