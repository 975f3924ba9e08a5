export interface SlashCommand {
  name: string;
  /** What stands after it. */
  takes?: string;
  about: string;
  /** The engine's command without which it is not there. */
  needs?: string;
}

/** The commands of the prompt, in the order in which help shows them. */
export const SLASH_COMMANDS: readonly SlashCommand[] = [
  { name: 'help', about: 'show commands and keys' },
  { name: 'model', takes: 'PROVIDER/MODEL', about: 'show or change the model' },
  { name: 'mode', takes: 'MODE', about: 'show or change the mode' },
  { name: 'trust', about: 'say whether you trust this folder', needs: 'askTrust' },
  { name: 'resume', takes: 'SESSION', about: 'go on with an earlier session' },
  { name: 'new', about: 'begin a new session' },
  { name: 'cost', about: 'show what the session has used' },
  { name: 'compact', takes: 'WHAT MATTERS', about: 'sum up the conversation so far', needs: 'compact' },
  { name: 'export', takes: 'html|md|json', about: 'write the session to a file here', needs: 'exportSession' },
  { name: 'changes', about: 'look at what was changed; keep or take back each file', needs: 'listChanges' },
  { name: 'undo', takes: 'FILE', about: "take back the newest message's changes, or one file's", needs: 'undoMessage' },
  { name: 'redo', about: 'take the last undo back', needs: 'redo' },
  { name: 'keep', takes: 'FILE', about: 'keep all changes, or those of one file', needs: 'keepFile' },
  { name: 'details', about: 'open the session with all details (Ctrl+O)' },
  { name: 'quit', about: 'leave' },
];

export const KEYS: readonly (readonly [string, string])[] = [
  ['Enter', 'send; while a task runs: queue'],
  ['Alt+Enter, Ctrl+J, \\ Enter', 'new line'],
  ['@', 'name a file or an image'],
  ['↑ ↓', 'earlier prompts'],
  ['Tab', 'complete; with a question: choose an answer'],
  ['Ctrl+O', 'open and close details'],
  ['Ctrl+C', 'stop the task; twice: leave'],
  ['Esc', 'close what is open'],
  ['Ctrl+Z', 'suspend'],
];

/** A line that begins with `/`, as command and argument; undefined for a path such as `/etc/hosts`, which is a prompt. */
export function slashCommand(text: string): { name: string; argument: string } | undefined {
  const match = /^\/([a-z]+)(?:\s+(.*))?$/s.exec(text.trim());
  return match ? { name: match[1]!, argument: (match[2] ?? '').trim() } : undefined;
}
