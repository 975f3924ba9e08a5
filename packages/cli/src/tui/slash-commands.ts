export interface SlashCommand {
  name: string;
  /** The name that other programs have for it. */
  also?: string;
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
  { name: 'rename', takes: 'TITLE', about: 'give the session a title', needs: 'renameSession' },
  { name: 'new', also: 'clear', about: 'begin a new session' },
  { name: 'cost', about: 'show what the session has used' },
  { name: 'ps', about: 'show the commands in the background', needs: 'listCommands' },
  { name: 'stop', takes: 'COMMAND', about: 'end a command in the background', needs: 'stopCommand' },
  { name: 'compact', takes: 'WHAT MATTERS', about: 'sum up the conversation so far', needs: 'compact' },
  { name: 'export', takes: 'html|md|json', about: 'write the session to a file here', needs: 'exportSession' },
  { name: 'changes', about: 'look at what was changed; keep or take back each file', needs: 'listChanges' },
  { name: 'undo', takes: 'FILE', about: "take back the newest message's changes, or one file's", needs: 'undoMessage' },
  { name: 'redo', about: 'take the last undo back', needs: 'redo' },
  { name: 'keep', takes: 'FILE', about: 'keep all changes, or those of one file', needs: 'keepFile' },
  { name: 'staged', about: 'show the rewrites that wait to be accepted', needs: 'listStaged' },
  { name: 'details', about: 'show the session with all details' },
  { name: 'quit', also: 'exit', about: 'leave' },
];

export const KEYS: readonly (readonly [string, string])[] = [
  ['Enter', 'send; while a task runs: queue'],
  ['Alt+Enter, Ctrl+J, \\ Enter', 'new line'],
  ['@', 'name a file or an image'],
  ['↑ ↓', 'earlier prompts; while messages are queued: take the last one back'],
  ['Ctrl+R', 'search earlier prompts'],
  ['Shift+Tab', 'the next mode'],
  ['Tab', 'complete; with a question: choose an answer'],
  ['Ctrl+O', 'open and close details; / searches there'],
  ['Ctrl+C', 'stop the task; empty the input; twice: leave'],
  ['Esc', 'close what is open'],
  ['Ctrl+Z', 'suspend'],
];

/** The same where lines are only appended, and the terminal itself has the keyboard. */
export const PLAIN_KEYS: typeof KEYS = [
  ['Enter', 'send; while a task runs: queue; on an empty line: go on with a task that was cut off'],
  ['\\ Enter', 'new line'],
  ['1 … 9', 'answer a question; words after the number go with it'],
  ['Ctrl+C', 'stop the task; twice: leave'],
  ['Ctrl+D', 'leave'],
  ['Ctrl+Z', 'suspend'],
];

/** A line that begins with `/`, as command and argument; undefined for a path such as `/etc/hosts`, which is a prompt. */
export function slashCommand(text: string): { name: string; argument: string } | undefined {
  const match = /^\/([a-z]+)(?:\s+(.*))?$/s.exec(text.trim());
  if (!match) return undefined;
  const known = SLASH_COMMANDS.find(({ also }) => also === match[1]);
  return { name: known?.name ?? match[1]!, argument: (match[2] ?? '').trim() };
}
