import { join } from 'node:path';
import {
  AppendLog,
  makeStoreFolder,
  readLogLines,
  SecretMask,
  workspaceKey,
  writeFileAtomic,
} from '@black-ide/workspace';

/** So many prompts are remembered of a workspace; the file may hold twice as many before it is shortened. */
const KEPT = 200;
/** A pasted file is no prompt that anyone wants to go through again. */
const MAX_CHARS = 8_000;

/** The prompts that were sent in a workspace, oldest first, kept in the state folder. */
export class PromptHistory {
  readonly #prompts: string[];
  readonly #log: AppendLog | undefined;
  readonly #secrets: SecretMask;

  private constructor(prompts: string[], secrets: SecretMask, log?: AppendLog) {
    this.#prompts = prompts;
    this.#secrets = secrets;
    this.#log = log;
  }

  /**
   * Where the state folder cannot be read or written, what is sent now is remembered as long as we run.
   * @param known values that must not get into the file
   */
  static open(home: string, cwd: string, known: readonly string[] = []): PromptHistory {
    const secrets = new SecretMask(known);
    const folder = join(home, 'history');
    const path = join(folder, `${workspaceKey(cwd)}.jsonl`);
    try {
      makeStoreFolder(folder);
      const log = AppendLog.open(path);
      const all = readPrompts(path);
      if (all.length <= 2 * KEPT) return new PromptHistory(all.slice(-KEPT), secrets, log);
      log.dispose();
      writeFileAtomic(
        path,
        all
          .slice(-KEPT)
          .map((prompt) => `${JSON.stringify(prompt)}\n`)
          .join(''),
      );
      return new PromptHistory(all.slice(-KEPT), secrets, AppendLog.open(path));
    } catch (cause) {
      if (cause instanceof Error) return new PromptHistory([], secrets);
      throw cause;
    }
  }

  get prompts(): readonly string[] {
    return this.#prompts;
  }

  add(prompt: string): void {
    if (prompt.length > MAX_CHARS || prompt === this.#prompts.at(-1)) return;
    this.#prompts.push(prompt);
    if (this.#log && !this.#log.failure) {
      try {
        this.#log.append([JSON.stringify(this.#secrets.text(prompt, { shapes: true }))]);
      } catch (cause) {
        // The log keeps the failure and takes no more; the prompt itself is sent all the same.
        if (!this.#log.failure) throw cause;
      }
    }
  }

  dispose(): void {
    this.#log?.dispose();
  }
}

function readPrompts(path: string): string[] {
  const prompts: string[] = [];
  readLogLines(path, (text) => {
    const prompt = parse(text);
    if (typeof prompt === 'string' && prompt.trim() !== '') prompts.push(prompt);
  });
  return prompts;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // A line that a crash cut off, or that somebody edited: no prompt.
    return undefined;
  }
}
