import { isRecord } from '@black-ide/protocol';
import { diagnosticsText } from '../context/diagnostics-text.ts';
import type { AgentSession } from '../session/agent-session.ts';
import type { ToolResult } from '../tools/define-tool.ts';
import type { WorkspaceLanguages } from './workspace-languages.ts';

/** Appends to a result what the session does not know yet of diagnostics: for the model as text, for faces as details. */
export function withNews(result: ToolResult, languages: WorkspaceLanguages, session: AgentSession): ToolResult {
  const news = languages.news(session);
  if (!news) return result;
  const { lines, more, pending } = news;
  const diagnostics = {
    found: lines.map(({ path, kind, diagnostic: { range, severity, message, code, source } }) => ({
      path: path.slice(languages.root.length + 1),
      kind,
      line: range.start.line + 1,
      column: range.start.character + 1,
      severity,
      message,
      ...(code === undefined ? {} : { code }),
      ...(source === undefined ? {} : { source }),
    })),
    more,
    pending,
  };
  const problems = lines.filter(({ kind }) => kind !== 'earlier').length;
  return {
    ...result,
    content: [...result.content, { type: 'text', text: diagnosticsText(news, languages.root) }],
    details: {
      ...(isRecord(result.details) ? result.details : {}),
      diagnostics,
      ...(problems > 0 ? { problems } : {}),
    },
  };
}
