import type { CommandResults, EngineCommand, LanguageCommandResults } from '@black-ide/protocol';
import { askLanguages, type LanguageReach } from './language-call.ts';
import type { WireDiagnostics } from './wire-diagnostics.ts';

export interface LanguageHandlerParts {
  /** Reads the settings anew. */
  prepare: () => Promise<unknown>;
  reach: () => LanguageReach;
  /** The host port of a face that serves diagnostics. */
  host: WireDiagnostics;
  /** Fires when the engine closes. */
  signal: AbortSignal;
}

type LanguageHandlers = {
  [T in keyof LanguageCommandResults]: (
    command: Extract<EngineCommand, { type: T }>,
  ) => Promise<CommandResults[T]> | CommandResults[T];
};

/** What the engine does with commands about languages. */
export function languageHandlers({ prepare, reach, host, signal }: LanguageHandlerParts): LanguageHandlers {
  return {
    askLanguages: async ({ type: _, ...question }) => {
      await prepare();
      const { text, items } = await askLanguages(question, reach(), signal);
      return { text, items };
    },
    listLanguageServers: async () => {
      await prepare();
      return { servers: await reach().languages.listServers() };
    },
    answerHost: ({ requestId, files }) => {
      host.answered(requestId, files);
      return {};
    },
    noticeHostChange: () => {
      host.changed();
      return {};
    },
    noticeDiskChanges: async ({ type: _, ...changes }) => {
      await reach().languages.foundOnDisk(changes);
      return {};
    },
  };
}
