import type { Response } from '@black-ide/protocol';
import * as z from 'zod';
import { defineTool, textResult } from './define-tool.ts';

/** A question of the model to the person: a Request of kind `ask_user`, whose answer is a value or words. */
export const askUser = defineTool({
  name: 'ask_user',
  description: 'Asks the person what only they can decide. They choose an option or answer freely.',
  access: 'control',
  steers: true,
  parameters: z.object({
    question: z.string().min(1).max(4_000),
    options: z.array(z.string().min(1).max(300)).max(10).optional(),
  }),
  run: async ({ question, options = [] }, { ask }) => {
    const response = await ask({
      title: question,
      options: [...new Set(options)].map((option) => ({ value: option, label: option })),
      payload: {},
    });
    if (!response) return { content: [], waiting: true };
    return textResult(answerText(response), { kind: 'answer', question, answer: response.value });
  },
});

function answerText({ value, text, by }: Response): string {
  const words = text ? ` ${text}` : '';
  if (value !== '') return `The person answered: ${value}${words ? ` (${text})` : ''}`;
  if (by === 'policy') return `Nobody answers now.${words} Take the most careful way, or say what is missing.`;
  return `The person gave no answer.${words}`;
}
