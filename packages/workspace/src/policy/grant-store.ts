import { join } from 'node:path';
import { BlackError, isRecord } from '@black-ide/protocol';
import { ProcessLock } from '../stores/process-lock.ts';
import { readStoreFile } from '../stores/read-store-file.ts';
import { makeStoreFolder } from '../stores/store-folder.ts';
import { workspaceKey } from '../stores/workspace-key.ts';
import { writeFileAtomic } from '../stores/write-file-atomic.ts';
import { isPrefixRule, type PrefixRule } from './prefix-rule.ts';

/**
 * What a person allows from now on in one workspace: `grants/<workspace key>.json` of their state folder, never in the
 * workspace, whose files anybody may have written.
 */
export class GrantStore {
  readonly path: string;
  readonly #folder: string;

  constructor({ home, root }: { home: string; root: string }) {
    this.#folder = join(home, 'grants');
    this.path = join(this.#folder, `${workspaceKey(root)}.json`);
  }

  /** The rules; none where there is no file. @throws BlackError `bad_grants` where it cannot be read: nothing is guessed. */
  read(): readonly PrefixRule[] {
    let value: unknown;
    try {
      const text = readStoreFile(this.path);
      if (text === undefined) return [];
      value = JSON.parse(text);
    } catch (cause) {
      throw this.#bad(cause instanceof Error ? cause.message : String(cause));
    }
    const rules = isRecord(value) && value.version === 1 ? value.rules : undefined;
    if (!Array.isArray(rules) || !rules.every(isPrefixRule)) throw this.#bad('it is no list of rules');
    return rules;
  }

  /** Adds rules that are not there yet. @throws BlackError where they cannot be kept. */
  add(rules: readonly PrefixRule[]): void {
    makeStoreFolder(this.#folder);
    const attempt = ProcessLock.acquire(`${this.path}.lock`);
    if (!attempt.ok) throw new BlackError('grants_busy', 'Another program is changing what is allowed.', 'Try again.');
    try {
      const all = new Map([...this.read(), ...rules].map((rule) => [JSON.stringify(rule), rule]));
      writeFileAtomic(this.path, `${JSON.stringify({ version: 1, rules: [...all.values()] }, undefined, 2)}\n`, {
        mode: 0o600,
      });
    } finally {
      attempt.lock.release();
    }
  }

  #bad(reason: string): BlackError {
    return new BlackError('bad_grants', `${this.path} cannot be read: ${reason}.`, 'Mend it or remove it.');
  }
}
