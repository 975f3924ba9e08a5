import type { Engine } from '@black-ide/engine';
import type { CommandResults, CommandType, EngineCommandInput, LeftFile, RestoredFiles } from '@black-ide/protocol';
import { unwrap } from '../failure.ts';
import { changeLines, leftTexts } from '../text/change-text.ts';
import type { Painter } from '../text/painter.ts';
import type { ActionOutcome, ChangeActions } from './changes-view.ts';

/** How a single file is taken back, where a message as a whole is refused. */
const ONE_BY_ONE = '/undo FILE takes one file back, as r does in /changes.';

/** What a person can do with a session's changes, in commands to the engine and in words. */
export class SessionChanges implements ChangeActions {
  readonly #engine: Engine;
  readonly #sessionId: () => string;

  constructor(engine: Engine, sessionId: () => string) {
    this.#engine = engine;
    this.#sessionId = sessionId;
  }

  list(): Promise<CommandResults['listChanges']> {
    return this.#run<'listChanges'>({ type: 'listChanges', sessionId: this.#sessionId() });
  }

  async diff(path: string): Promise<string> {
    return (await this.#run<'showChanges'>({ type: 'showChanges', sessionId: this.#sessionId(), path })).diff;
  }

  async keep(path?: string): Promise<string> {
    const { paths } = await this.#run<'keepFile'>({
      type: 'keepFile',
      sessionId: this.#sessionId(),
      ...(path === undefined ? {} : { path }),
    });
    return `Kept ${paths.join(', ')}.`;
  }

  restore(path: string, merge: boolean): Promise<ActionOutcome> {
    return this.#take('Took back', { type: 'restoreFile', sessionId: this.#sessionId(), path, merge });
  }

  undo(merge: boolean, messageId?: string): Promise<ActionOutcome> {
    const message = messageId === undefined ? {} : { messageId };
    return this.#take('Took back', { type: 'undoMessage', sessionId: this.#sessionId(), merge, ...message });
  }

  redo(merge: boolean): Promise<ActionOutcome> {
    return this.#take('Brought back', { type: 'redo', sessionId: this.#sessionId(), merge });
  }

  /** The list in words, for a face that only appends lines. `said`: the message that began the changes. */
  async lines(said: (messageId: string) => string, columns: number, paint: Painter): Promise<string[]> {
    const { changes } = await this.list();
    if (changes.length === 0) return ['This session has changed no files.'];
    return changeLines(changes, said, columns, paint);
  }

  async #take(
    what: string,
    command: Extract<EngineCommandInput, { type: 'restoreFile' | 'undoMessage' | 'redo' }>,
  ): Promise<ActionOutcome> {
    const result = (await this.#engine.executeUnknown(command)) as
      | { ok: true; value: RestoredFiles & { notCovered?: LeftFile[] } }
      | { ok: false; error: { code: string; message: string; next?: string } };
    if (!result.ok) {
      const { code, message, next } = result.error;
      const mayMerge = code === 'changed_since';
      const how = code === 'conflict' && command.type === 'undoMessage' ? ONE_BY_ONE : '';
      return { text: [message, mayMerge ? '' : next, how].filter(Boolean).join(' '), failed: true, mayMerge };
    }
    const { files, skipped, notCovered } = result.value;
    const left = skipped.map(({ path, why }) => `left alone: ${path} (${why})`);
    const named = files.map(({ path, merged }) => (merged ? `${path} (merged)` : path));
    const done = files.length > 0 ? `${what} ${named.join(', ')}.` : 'The files were so already.';
    return { text: [done, ...[...left, ...leftTexts(notCovered)].map(sentence)].join(' ') };
  }

  async #run<T extends CommandType>(command: EngineCommandInput): Promise<CommandResults[T]> {
    return unwrap(await this.#engine.executeUnknown(command)) as CommandResults[T];
  }
}

function sentence(words: string): string {
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;
}
