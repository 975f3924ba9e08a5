/** What of a language server's start depends on where it runs. */
export interface ServerFacts {
  /** It runs in the sandbox: the workspace cannot be written, `/tmp` is its own. */
  contained: boolean;
  /** The interpreter of the project's own environment. */
  python?: string;
}

/**
 * All that is known of one language server: where it belongs, how it is started, and what was measured of its manners.
 * Of the servers with the same `role` that could serve a file the first one that is usable does; servers of different
 * roles serve it side by side.
 */
export interface ServerSpec {
  /** Short and unique, e.g. `gopls`. */
  id: string;
  title: string;
  /** E.g. `python`, `python lint`. */
  role: string;
  /** The files that it serves and their language ids: by the end of the name where the key begins with a dot, else by name. */
  files: Readonly<Record<string, string>>;
  /** Names of files or folders, or `*.ending`, that make a folder a project of its. */
  markers: readonly string[];
  /** With one of these in the project's folder it is none of its. */
  unless?: readonly string[];
  /** Its folder: that of the marker nearest to the file, that of the outermost one, or the workspace. */
  root: 'nearest' | 'outermost' | 'workspace';
  program: string;
  args: readonly string[];
  /** The program serves only where it belongs to this package, in this major version or a later one. */
  package?: { name: string; atLeast: number };
  /** It runs nothing that lies in the project, whatever is configured there: it may also serve folders that are not trusted. */
  safe?: true;
  /** The command that brings it, or where it is described. */
  get: string;
  initializationOptions?: (facts: ServerFacts) => Record<string, unknown>;
  /** What it is told when it asks for its configuration: sections are keys at any depth. */
  settings?: (facts: ServerFacts) => Record<string, unknown>;
  /** An empty answer to the first question for diagnostics means that there are none, not that it has only begun. */
  trustsFirstPull?: true;
  /** It tells the diagnostics of files that are not open as well. */
  pullsClosed?: true;
  /** After a save it runs a check of its own, on the files of the disk: how the progress of that is called. */
  checksOnSave?: RegExp;
  /** It publishes nothing where nothing has changed: what it has not said in so many milliseconds is as it was. */
  silentWhenSame?: number;
  /** How long it may be silent between publishing diagnostics of several files. Default 150 ms. */
  quietMs?: number;
  /** Files of the project that tell, when they change, that it has to be started anew: what was installed. */
  stamps?: readonly string[];
}
