import * as z from 'zod';
import { defineTool, textResult } from './define-tool.ts';

/** The normal end of a task (IDE-17). */
export const completeTask = defineTool({
  name: 'complete_task',
  description: 'Ends the task. `message` is the final answer, shown as it is.',
  access: 'control',
  parameters: z.object({ message: z.string().min(1) }),
  ends: 'completed',
  run: async () => textResult('The task is complete.'),
});

/** Gives a task up. */
export const cancelTask = defineTool({
  name: 'cancel_task',
  description: 'Gives up a task that cannot or must not be done. `message` says why.',
  access: 'control',
  parameters: z.object({ message: z.string().min(1) }),
  ends: 'cancelled',
  run: async () => textResult('The task is given up.'),
});
