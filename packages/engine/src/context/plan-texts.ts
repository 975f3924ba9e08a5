import type { ApprovedPlan, Response } from '@black-ide/protocol';
import { readAsset } from '@black-ide/workspace';

/** What a planned task adds to the system prompt and to the conversation. All of it reaches the model. */
export const PLAN_TEXTS = {
  /** Behind the rules of the system prompt, so that what stands before it stays as it is. */
  planning: (): string => readAsset(new URL('../../prompts/planning.md', import.meta.url)).trim(),

  /** The same while an approved plan is carried out. */
  approvedPlan({ implementationPlan, taskList, edited }: ApprovedPlan): string {
    const values: Record<string, string> = {
      edited: edited.length > 0 ? `, after editing ${edited.join(' and ')}` : '',
      plan: implementationPlan.trim(),
      tasks: taskList.trim(),
    };
    const template = readAsset(new URL('../../prompts/approved-plan.md', import.meta.url)).trim();
    return template.replaceAll(/\{\{(\w+)\}\}/g, (whole, name: string) => values[name] ?? whole);
  },

  /** Names and signatures come out of files: data. */
  map: (map: string): string =>
    `A map of this repository, made from its index, to know where to look. It shows a part; read the files themselves before you plan a change to them.\n<repo_map>\n${map.replaceAll(/<(?=\/?repo_map)/gi, '‹')}\n</repo_map>`,

  approved: 'The person has approved the plan; it stands in the system prompt. Carry it out now.',

  feedback: ({ text = '' }: Response): string =>
    `The person has rejected the plan and says:\n\n${text.trim()}\n\nRevise the plan: change both artifacts where they no longer fit (read them first, they may have been edited), then end.`,

  missing: (kinds: readonly string[]): string =>
    `You ended without ${kinds.join(' and ')}. Write what is missing with create_artifact, then end. If the request asks for no change, answer it in words instead. Nothing is changed before the plan is approved.`,

  walkthrough:
    'Write the walkthrough with create_artifact (what changed and why, how it was checked, what is left), then end with one sentence.',

  /** A walkthrough that the engine writes where the model did not. */
  mechanicalWalkthrough(message: string, files: readonly string[]): string {
    const changed =
      files.length > 0 ? files.map((file) => `- \`${file}\``).join('\n') : 'No file was changed by a tool.';
    return `# Walkthrough\n\nThe model wrote none; this one is from the session's log.\n\n## Result\n\n${message.trim() || 'The task ended without a word.'}\n\n## Files\n\n${changed}\n`;
  },
};
