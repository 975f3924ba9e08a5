import type { Response, ViewItem } from '@black-ide/protocol';

/** Whether the folder is trusted, as far as the conversation has heard, and who waits for the answer. */
export class FolderTrust {
  readonly #waiters: (() => void)[] = [];
  #isMissing = false;

  /** The folder is not trusted: what it brings along is not read, and nothing in it is changed. */
  get isMissing(): boolean {
    return this.#isMissing;
  }

  /** It was asked for. `isOpen`: there was something to ask. */
  asked(isOpen: boolean): void {
    this.#isMissing = isOpen;
  }

  /** A question was answered, of whatever kind. */
  answered({ kind, value }: Pick<Response, 'kind' | 'value'>): void {
    if (kind === 'trust') this.#isMissing = value !== 'trust';
    for (const go of this.#waiters.splice(0)) go();
  }

  /** Resolves when the next question was answered. */
  async nextAnswer(): Promise<void> {
    await new Promise<void>((resolve) => this.#waiters.push(resolve));
  }
}

/** The question whether the folder is trusted is no part of a conversation yet. */
export function isAboutTrust(item: ViewItem): boolean {
  if (item.kind === 'request') return item.request.kind === 'trust';
  return item.kind === 'response' && item.response.kind === 'trust';
}
