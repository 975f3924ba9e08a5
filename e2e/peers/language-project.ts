import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import {
  type DiagnosticsNews,
  diskTexts,
  type FileAfter,
  KNOWN_SERVERS,
  LanguageQueries,
  LanguageServers,
  WriteDiagnostics,
} from '@black-ide/intel';
import { createTempWorkspace, type TempWorkspace } from '@black-ide/testkit';
import { cleanEnvironment, DiskDocuments, foldersOfProgram, ProcessRegistry, Sandbox } from '@black-ide/workspace';

/** Programs of the peers' own packages, then those of Debian, which must not be hidden by shims of a home folder. */
export const SERVER_PATH = [join(import.meta.dirname, 'node_modules', '.bin'), '/usr/bin', process.env.PATH].join(
  delimiter,
);

export interface LanguageProject extends AsyncDisposable {
  workspace: TempWorkspace;
  servers: LanguageServers;
  queries: LanguageQueries;
  /** Writes a file and answers what is told then, as `kind path:line code`; `later` waits for what is pending. */
  write: (name: string, text: string) => Promise<string[]>;
}

export interface LanguageProjectOptions {
  /** The server's id in the table. */
  id: string;
  files: Record<string, string>;
  /** Files that depend on one. */
  importers?: Record<string, string[]>;
}

/** A workspace with one real server of the table, contained as the engine has it. */
export async function languageProject({ id, files, importers = {} }: LanguageProjectOptions): Promise<LanguageProject> {
  const workspace = await createTempWorkspace({ files });
  const state = await createTempWorkspace({});
  // The PATH as it stands here: of that of npm scripts the cleaned environment leaves out what npm has put there.
  const env = { ...cleanEnvironment(process.env), PATH: SERVER_PATH };
  const processes = new ProcessRegistry({ stateFolder: state.path });
  const sandbox = new Sandbox({ root: workspace.path, stateHome: state.path, env: { ...process.env, ...env } });
  const documents = new DiskDocuments();
  const servers = new LanguageServers({
    root: workspace.path,
    documents,
    env: () => env,
    trusts: () => true,
    specs: KNOWN_SERVERS.filter((spec) => spec.id === id),
    idleMs: () => 600_000,
    isContained: async () => true,
    serve: (start) => {
      const readable = foldersOfProgram(start.program);
      const box = () => sandbox.contain({ cwd: start.cwd, env, readable, readOnly: true, background: true });
      return processes.serve({ ...start, env, sandbox: box });
    },
  });
  const disk = diskTexts(documents);
  const diagnostics = new WriteDiagnostics({
    root: workspace.path,
    sourcesOf: (path) => servers.serversOf(path),
    importersOf: async (path) =>
      (importers[path.slice(workspace.path.length + 1)] ?? []).map((name) => workspace.at(name)),
    notice: (events) => servers.noticed(events),
    disk,
    // The tests are about what servers tell, however busy the machine is.
    waitMs: () => 60_000,
  });
  const told = ({ lines, pending, problems }: DiagnosticsNews): string[] => [
    ...lines.map(({ kind, path, diagnostic: { range, code, message } }) => {
      return `${kind} ${path.slice(workspace.path.length + 1)}:${range.start.line + 1} ${code ?? message}`;
    }),
    ...pending.map((title) => `pending ${title}`),
    ...problems.map((problem) => `problem ${problem}`),
  ];
  return {
    workspace,
    servers,
    queries: new LanguageQueries(servers, disk),
    write: async (name, text) => {
      const path = workspace.at(name);
      const never = new AbortController().signal;
      const before = existsSync(path) ? readFileSync(path, 'utf8') : null;
      const watched = await diagnostics.begin('turn', [{ path, text: before }], never);
      writeFileSync(path, text);
      const after: FileAfter = { path, text, kind: before === null ? 'created' : 'modified' };
      await watched.written([after]);
      const news = diagnostics.take();
      return news ? told(news) : [];
    },
    [Symbol.asyncDispose]: async () => {
      diagnostics.dispose();
      await servers.dispose();
      await processes.dispose();
      sandbox.dispose();
      await Promise.all([workspace.dispose(), state.dispose()]);
    },
  };
}
