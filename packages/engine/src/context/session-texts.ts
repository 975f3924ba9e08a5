/** The texts that stand for parts of a session that are no messages themselves. All of them reach the model. */

export const SESSION_TEXTS = {
  branchSummary: (summary: string) =>
    `Before this, another branch of this conversation was followed and left. Its summary:\n\n<summary>\n${summary}\n</summary>`,

  compactionSummary: (summary: string) =>
    `The conversation up to here was condensed to make room. Its summary:\n\n<summary>\n${summary}\n</summary>`,

  /** A call whose result is not in the log; the loop closes the calls of a killed run with better words. */
  noResult: 'No result of this call was recorded. It may have run and had effects: look before you repeat it.',

  /** A command that the person ran from the prompt. */
  userCommand({ command, output, exitCode, cancelled, truncated, fullOutputPath }: UserCommand): string {
    const fence = '`'.repeat(Math.max(3, longestRun(output, '`') + 1));
    const lines = [`The user ran \`${command}\`:`, output ? `${fence}\n${output}\n${fence}` : '(no output)'];
    if (cancelled) lines.push('It was cancelled.');
    else if (exitCode) lines.push(`It ended with exit code ${exitCode}.`);
    if (truncated && fullOutputPath) lines.push(`The output was cut; all of it is in ${fullOutputPath}.`);
    return lines.join('\n');
  },
};

export interface UserCommand {
  command: string;
  output: string;
  exitCode?: number | undefined;
  cancelled?: boolean;
  truncated?: boolean;
  fullOutputPath?: string | undefined;
}

function longestRun(text: string, character: string): number {
  let longest = 0;
  let run = 0;
  for (let i = 0; i < text.length; i++) {
    run = text[i] === character ? run + 1 : 0;
    if (run > longest) longest = run;
  }
  return longest;
}
