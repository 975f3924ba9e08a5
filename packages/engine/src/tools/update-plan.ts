import * as z from 'zod';
import { defineTool, textResult } from './define-tool.ts';

const STATUS = ['pending', 'in_progress', 'completed'] as const;
const MARKS = { pending: '[ ]', in_progress: '[>]', completed: '[x]' } as const;

/** The steps of the task, as the person sees them; the newest call counts. */
export const updatePlan = defineTool({
  name: 'update_plan',
  description: 'Shows the person the steps of a longer task. Send all steps each time, at most one in_progress.',
  access: 'control',
  steers: true,
  parameters: z.object({
    steps: z
      .array(z.object({ step: z.string().min(1).max(300), status: z.enum(STATUS) }))
      .min(1)
      .max(50),
  }),
  run: async ({ steps }) => {
    const done = steps.filter(({ status }) => status === 'completed').length;
    const current = steps.find(({ status }) => status === 'in_progress');
    const lines = steps.map(({ step, status }) => `${MARKS[status]} ${step}`);
    return textResult([`${done} of ${steps.length} steps done.`, ...lines].join('\n'), {
      kind: 'plan',
      steps,
      done,
      total: steps.length,
      ...(current ? { current: current.step } : {}),
    });
  },
});
