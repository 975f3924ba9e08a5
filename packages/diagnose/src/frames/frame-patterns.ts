import type { Frame, TraceLanguage } from './frame.ts';

/** How one kind of line of a trace is read. */
export interface FramePattern {
  language: TraceLanguage;
  pattern: RegExp;
  /** Traces of this kind name the outermost frame first. */
  outermostFirst?: true;
  /** Undefined: it is no frame after all. */
  read(groups: Record<string, string | undefined>): Partial<Frame> | undefined;
}

const place = ({ file, line, column, symbol }: Record<string, string | undefined>): Partial<Frame> => ({
  file: file?.trim(),
  line: line === undefined ? undefined : Number(line),
  column: column === undefined ? undefined : Number(column),
  symbol: symbol?.trim() || undefined,
});

/** `a.b.Outer$Inner.method` names the file that `Outer.kt` in the folder of its package is. */
function javaFrame({ owner, symbol, file, line }: Record<string, string | undefined>): Partial<Frame> {
  const parts = (owner ?? '').replace(/^[^/]*\//, '').split('.');
  const type = parts.pop()!;
  const name = file ?? `${type.split('$')[0]}.java`;
  return {
    file: [...parts, name].join('/'),
    line: line === undefined ? undefined : Number(line),
    symbol: `${type.replaceAll('$', '.')}.${symbol}`,
  };
}

const JS_FILE =
  '(?<file>(?:[a-z][\\w+.-]*://)?[^\\s()]*?[^\\s():]+?\\.(?:[cm]?[jt]sx?|vue|svelte|bundle)(?:\\?[^\\s():]*)?)';

/** Tried on each line in this order; the first that fits counts. */
export const FRAME_PATTERNS: readonly FramePattern[] = [
  {
    language: 'python',
    pattern: /^\s*File "(?<file>[^"]+)", line (?<line>\d+)(?:, in (?<symbol>.+?))?\s*$/,
    outermostFirst: true,
    read: place,
  },
  {
    // pytest: `src/flask/app.py:1488: in wsgi_app`
    language: 'python',
    pattern: /^(?<file>[\w./\\-]+\.py):(?<line>\d+): (?:in (?<symbol>\S+)|[A-Z]\w*(?:Error|Exception|Warning)?\b.*)$/,
    outermostFirst: true,
    read: place,
  },
  {
    // V8: `at Store.save (file:///a/store.ts:12:5)`, `at async /a/b.js:1:2`; V8 in browsers the same with an address.
    language: 'javascript',
    pattern: new RegExp(
      `^\\s*at (?:(?:async |new )?(?<symbol>[^()]+?(?: \\[as [^\\]]+\\])?) \\(|(?:async )?)${JS_FILE}(?::(?<line>\\d+))?(?::(?<column>\\d+))?\\)?\\s*$`,
    ),
    read: place,
  },
  {
    // Firefox and Safari: `save@https://host/app.js:12:5`
    language: 'javascript',
    pattern: new RegExp(`^\\s*(?<symbol>[\\w$.<>/*\\[\\] ]*)@${JS_FILE}:(?<line>\\d+)(?::(?<column>\\d+))?\\s*$`),
    read: place,
  },
  {
    language: 'java',
    pattern:
      /^\s*(?:at|#\d+:?\s+(?:at )?)\s*(?:[\w.]+\/{1,2})?(?<owner>(?:[\w$]+\.)+[\w$]+|[A-Z][\w$]*)\.(?<symbol><?[\w$]+>?(?:\$[\w$]+)*)\((?:(?<file>[\w$ -]+\.(?:java|kt|kts|scala|groovy|clj))(?::(?<line>\d+))?|SourceFile(?::\d+)?|[Pp][Gg]:?\d*|r8-map-id-\w+:\d+|Native Method|Unknown Source)\)/,
    read: (groups) => javaFrame(groups),
  },
  {
    // `    at Acme.Store.Save(String name) in C:\src\Store.cs:line 12`
    language: 'csharp',
    pattern:
      /^\s*(?:at|bei|à|en) (?<symbol>[\w.<>`+[\],]+)\(.*\) (?:in|dans|en) (?<file>.+?):(?:line|Zeile|ligne|línea) (?<line>\d+)\s*$/,
    read: place,
  },
  {
    language: 'csharp',
    pattern: /^\s*at (?<symbol>[A-Z][\w`<>]*(?:\.[\w`<>]+)+)\((?:[A-Z][\w.[\]&`<>]* \w+(?:, )?)*\)\s*$/,
    read: place,
  },
  {
    // `\t/src/store.go:12 +0x1d` below `main.(*Store).Save(...)`
    language: 'go',
    pattern: /^\s+(?<file>(?:[A-Za-z]:)?[^\s:]+\.go):(?<line>\d+)(?: \+0x[\da-f]+)?\s*$/,
    read: place,
  },
  {
    language: 'rust',
    pattern: /^\s*at (?<file>(?:[A-Za-z]:)?[^\s:]+\.rs)(?::(?<line>\d+))?(?::(?<column>\d+))?\s*$/,
    read: place,
  },
  {
    language: 'rust',
    pattern: /panicked at (?:'.*', )?(?<file>(?:[A-Za-z]:)?[^\s:']+\.rs):(?<line>\d+)(?::(?<column>\d+))?:?/,
    read: place,
  },
  {
    language: 'ruby',
    pattern:
      /^\s*(?:from |\d+: from )?(?<file>(?:[A-Za-z]:)?[^\s:]+\.(?:rb|erb|rake|ru)):(?<line>\d+):in [`'](?:block (?:\(\d+ levels\) )?in |rescue in |ensure in )?(?<symbol>[^'`]+)'/,
    read: place,
  },
  {
    language: 'php',
    pattern: /^\s*#\d+ (?<file>[^\s(][^(]*\.(?:php|phtml|inc))\((?<line>\d+)\): (?<symbol>[\w\\:>-]+)/,
    read: place,
  },
  {
    language: 'php',
    pattern: /\bin (?<file>(?:[A-Za-z]:)?[^\s:()]+\.(?:php|phtml|inc))(?: on line |:|\()(?<line>\d+)/,
    read: place,
  },
  {
    // gdb: `#1  0x0000 in save (s=0x0) at src/store.c:12`; lldb: `frame #1: 0x… app`save(s=0x0) at store.c:12:5`
    language: 'c',
    pattern:
      /^\s*(?:\*?\s*frame )?#\d+:?\s+(?:0x[\da-f]+\s+(?:in\s+)?)?(?:[\w.+-]+`)?(?<symbol>[~\w:<>,&*\s()[\]]+?)\s*\(.*?\)(?: const)?(?: \[[^\]]*\])? at (?<file>[^\s:]+):(?<line>\d+)(?::(?<column>\d+))?/,
    read: place,
  },
  {
    // ASan and friends: `#1 0x55 in save(Store*) /src/store.cc:12:5`
    language: 'c',
    pattern:
      /^\s*#\d+ 0x[\da-f]+ in (?<symbol>.+?) (?<file>\/?[^\s:()]+\.(?:c|cc|cpp|cxx|h|hh|hpp|m|mm|swift|rs|go)):(?<line>\d+)(?::(?<column>\d+))?/,
    read: (groups) => ({ ...place(groups), symbol: groups.symbol?.replace(/\(.*$/, '') }),
  },
  {
    // `app: store.c:12: save: Assertion `s' failed.`, `store.c:12:5: runtime error: …`
    language: 'c',
    pattern:
      /(?:^|[\s:])(?<file>[\w./\\-]+\.(?:c|cc|cpp|cxx|h|hh|hpp|m|mm)):(?<line>\d+)(?::(?<column>\d+))?: (?:(?<symbol>[\w:~]+)(?:\(.*?\))?: Assertion|runtime error|error|fatal error)/,
    read: place,
  },
  {
    // `4   Notes   0x0001 NoteStore.save(_:) + 120 (NoteStore.swift:42)`
    language: 'swift',
    pattern:
      /^\s*\d+\s+\S+\s+0x[\da-f]+\s+(?<symbol>.+?)(?: \+ \d+)?(?: \((?<file>[^\s()]+\.\w+):(?<line>\d+)\))?\s*$/i,
    read: (groups) => ({ ...place(groups), symbol: groups.symbol?.replace(/^(?:closure #\d+ .*? in |@objc )/, '') }),
  },
  {
    // `Fatal error: …: file Notes/NoteStore.swift, line 42`, glibc's and BSD's assertions
    language: 'swift',
    pattern: /\bfile (?<file>[^\s,]+\.(?:swift|m|mm)), line (?<line>\d+)/,
    read: place,
  },
  {
    language: 'c',
    pattern: /\bfile (?<file>[^\s,]+\.(?:c|cc|cpp|h|hpp)), line (?<line>\d+)/,
    read: place,
  },
];

/** What says that an error follows, or begins a trace, with its message. */
export const MESSAGE_PATTERNS: readonly RegExp[] = [
  /^\s*(?:Uncaught (?:\(in promise\) )?)?(?<message>(?:[\w$]+\.)*[\w$]*(?:Error|Exception|Failure|Fault|Interrupt|Exit|Warning)(?: \[[\w_]+\])?: .+)$/,
  /^\s*(?:Exception in thread ".*?"|Caused by:|Unhandled exception\.|FATAL EXCEPTION: \S+) ?(?<message>\S.*)$/,
  /^(?<message>panic: .+)$/,
  /^thread '.*?' (?:\(\d+\) )?panicked at (?:'(?<message>.*)', \S+|\S+:)$/,
  /^\s*(?:PHP )?(?<message>(?:Fatal|Parse|Uncaught) error: .+?)(?: in \S+)?$/,
  /^\s*(?<message>(?:[a-z-]+: )?(?:error|fatal|fatal error)(?:\[\w+\])?: .+)$/i,
  /^==\d+==\s*(?<message>ERROR: \w+Sanitizer: .+)$/,
];
