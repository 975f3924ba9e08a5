import { basename } from 'node:path';
import { isRecord } from '@black-ide/protocol';
import { uriOfPath } from '../wire/uris.ts';
import type { ServerCapabilities } from './server-capabilities.ts';

/** What a server's questions are answered from, and what they change. */
export interface ServerQuestions {
  /** The project: absolute. */
  root: string;
  settings: Record<string, unknown>;
  capabilities: ServerCapabilities;
  /** It can do more than it had told. */
  onRegistered: () => void;
  /** Diagnostics have to be asked for anew. */
  onRefresh: () => void;
  /** What keeps the server from telling everything. */
  onWarning: (warning: string) => void;
}

/** What vscode-eslint asks before it loads a project's ESLint: yes. Whether it may was decided when it was started. */
const ESLINT_APPROVED = 4;

/** Answers a request of a server; undefined where there is no such method. Nothing is changed, shown or asked for it. */
export function answerServer(method: string, params: unknown, asked: ServerQuestions): Promise<unknown> | undefined {
  switch (method) {
    case 'workspace/configuration':
      return Promise.resolve(sectionsOf(params).map((section) => settingAt(asked.settings, section)));
    case 'workspace/workspaceFolders':
      return Promise.resolve([{ uri: uriOfPath(asked.root), name: basename(asked.root) }]);
    case 'client/registerCapability':
      asked.capabilities.register(params);
      asked.onRegistered();
      return Promise.resolve(null);
    case 'client/unregisterCapability':
      asked.capabilities.unregister(params);
      return Promise.resolve(null);
    case 'workspace/diagnostic/refresh':
      asked.onRefresh();
      return Promise.resolve(null);
    case 'workspace/applyEdit':
      return Promise.resolve({ applied: false, failureReason: 'Edits are not applied unasked.' });
    case 'window/showDocument':
      return Promise.resolve({ success: false });
    case 'eslint/noLibrary':
      asked.onWarning('ESLint itself is not installed in the project.');
      return Promise.resolve({});
    case 'eslint/confirmESLintExecution':
      return Promise.resolve(ESLINT_APPROVED);
    case 'window/workDoneProgress/create':
    case 'window/showMessageRequest':
    case 'workspace/semanticTokens/refresh':
    case 'workspace/inlayHint/refresh':
    case 'workspace/inlineValue/refresh':
    case 'workspace/codeLens/refresh':
    case 'workspace/foldingRange/refresh':
      return Promise.resolve(null);
    default:
      return undefined;
  }
}

function sectionsOf(params: unknown): string[] {
  const items = isRecord(params) ? params.items : undefined;
  if (!Array.isArray(items)) return [];
  return items.map((item) => (isRecord(item) && typeof item.section === 'string' ? item.section : ''));
}

/** The settings of a section, e.g. `python.analysis`; null where there are none. */
function settingAt(settings: Record<string, unknown>, section: string): unknown {
  let value: unknown = settings;
  for (const name of section.split('.').filter(Boolean)) {
    value = isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined;
  }
  return value ?? null;
}
