import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { diskTexts, LanguageServers, WriteDiagnostics } from '../packages/intel/src/index.ts';
import { DiskDocuments, ProcessRegistry } from '../packages/workspace/src/index.ts';
import { median } from './lib/measure.ts';
import type { Bench } from './lib/row.ts';

const BIN = join(import.meta.dirname, '..', 'node_modules', '.bin');
const IMPORTERS = 20;
const EDITS = 40;

/** New TypeScript diagnostics after an edit of a file that 20 others import: ours, and the server asked without anything around. */
export const diagnostics: Bench = async ({ rounds }) => {
  const edits = Math.max(6, Math.ceil((EDITS * rounds) / 15));
  const ours = median(await viaOurs(edits));
  const reference = median(await bare(edits));
  const show = (value: number) => `${value.toFixed(1)} ms`;
  return [
    {
      what: `edit to new diagnostics in ${IMPORTERS + 1} files, above the server’s own time`,
      ours: show(ours),
      reference: show(reference),
      value: ours - reference,
      limit: 5,
      unit: 'ms' as const,
    },
  ];
};

/** A project in which every second edit breaks all importers. */
function project(): {
  root: string;
  file: string;
  importers: string[];
  text: (edit: number) => string;
  dispose(): void;
} {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'black-bench-')));
  const write = (name: string, text: string): string => {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
    return join(root, name);
  };
  const options = { strict: true, noEmit: true, module: 'nodenext', allowImportingTsExtensions: true };
  write('tsconfig.json', JSON.stringify({ compilerOptions: options }));
  const text = (edit: number): string => {
    const type = edit % 2 ? 'string' : 'number';
    return `// Edit ${edit}\nexport function value(): ${type} {\n  return null as never;\n}\n`;
  };
  const file = write('src/value.ts', text(0));
  const importers = Array.from({ length: IMPORTERS }, (_, index) =>
    write(`src/use${index}.ts`, "import { value } from './value.ts';\nexport const used: number = value();\n"),
  );
  return { root, file, importers, text, dispose: () => rmSync(root, { recursive: true }) };
}

async function viaOurs(edits: number): Promise<number[]> {
  const { root, file, importers, text, dispose } = project();
  const documents = new DiskDocuments();
  const processes = new ProcessRegistry();
  const env = { PATH: `${BIN}:/usr/bin:/bin` };
  const servers = new LanguageServers({
    root,
    documents,
    env: () => env,
    trusts: () => true,
    isContained: async () => false,
    idleMs: () => 60_000,
    serve: (start) => processes.serve({ ...start, env }),
  });
  const tracker = new WriteDiagnostics({
    root,
    sourcesOf: (path) => servers.serversOf(path),
    importersOf: async () => importers,
    notice: (events) => servers.noticed(events),
    disk: diskTexts(documents),
    waitMs: () => 20_000,
  });
  const times: number[] = [];
  const never = new AbortController().signal;
  try {
    for (let edit = 1; edit <= edits; edit++) {
      const began = performance.now();
      const watched = await tracker.begin('turn', [{ path: file, text: text(edit - 1) }], never);
      const before = performance.now() - began;
      writeFileSync(file, text(edit));
      const written = performance.now();
      await watched.written([{ path: file, text: text(edit), kind: 'modified' }]);
      const told = tracker.take()?.lines.length ?? 0;
      if (told !== (edit % 2 ? IMPORTERS : 0)) throw new Error(`edit ${edit} told ${told}`);
      // The first one waits for the server to start.
      if (edit > 1) times.push(before + performance.now() - written);
    }
  } finally {
    tracker.dispose();
    await servers.dispose();
    await processes.dispose();
    dispose();
  }
  return times;
}

/** The same edits and questions over a connection of a few lines. */
async function bare(edits: number): Promise<number[]> {
  const { root, file, importers, text, dispose } = project();
  const child = spawn(join(BIN, 'tsc'), ['--lsp', '--stdio'], { cwd: root, stdio: ['pipe', 'pipe', 'ignore'] });
  const ask = connect(child);
  const uri = (path: string) => pathToFileURL(path).href;
  const times: number[] = [];
  try {
    const capabilities = { textDocument: { diagnostic: {} } };
    await ask('initialize', { processId: process.pid, rootUri: uri(root), capabilities });
    ask('initialized', {}, true);
    const textDocument = { uri: uri(file), languageId: 'typescript', version: 1, text: text(0) };
    ask('textDocument/didOpen', { textDocument }, true);
    const pull = (path: string) => ask('textDocument/diagnostic', { textDocument: { uri: uri(path) } });
    await Promise.all([file, ...importers].map(pull));
    for (let edit = 1; edit <= edits; edit++) {
      writeFileSync(file, text(edit));
      const began = performance.now();
      const change = { textDocument: { uri: uri(file), version: edit + 1 }, contentChanges: [{ text: text(edit) }] };
      ask('textDocument/didChange', change, true);
      await Promise.all([file, ...importers].map(pull));
      if (edit > 1) times.push(performance.now() - began);
    }
  } finally {
    child.kill('SIGKILL');
    dispose();
  }
  return times;
}

function connect(child: ChildProcess): (method: string, params: unknown, notify?: boolean) => Promise<unknown> {
  const pending = new Map<number, (result: unknown) => void>();
  const send = (message: object): void => {
    const body = JSON.stringify({ jsonrpc: '2.0', ...message });
    child.stdin!.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
  };
  let rest = Buffer.alloc(0);
  child.stdout!.on('data', (chunk: Buffer) => {
    rest = Buffer.concat([rest, chunk]);
    for (;;) {
      const end = rest.indexOf('\r\n\r\n');
      const length = Number(/Content-Length: (\d+)/.exec(rest.subarray(0, Math.max(0, end)).toString())?.[1]);
      if (end < 0 || rest.length < end + 4 + length) return;
      const { id, method, result } = JSON.parse(rest.subarray(end + 4, end + 4 + length).toString());
      rest = rest.subarray(end + 4 + length);
      if (method === undefined) pending.get(id)?.(result);
      else if (id !== undefined) send({ id, result: null });
    }
  });
  let next = 0;
  return (method, params, notify = false) => {
    if (notify) {
      send({ method, params });
      return Promise.resolve(undefined);
    }
    const id = ++next;
    send({ id, method, params });
    return new Promise((resolve) => pending.set(id, resolve));
  };
}
