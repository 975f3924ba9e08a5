import * as z from 'zod';
import { defineTool, errorResult, textResult } from './define-tool.ts';

/**
 * The way to tools whose schemas are not in the request (rare ones, MCP): the `tools` array, and with it the prefix
 * that providers cache, never changes when such tools come or go.
 */
export const callTool = defineTool({
  name: 'call_tool',
  description: 'Calls a tool by name, or one of these (arguments: describe_tool):',
  access: 'control',
  listsRare: true,
  parameters: z.object({ name: z.string(), arguments: z.record(z.string(), z.unknown()).optional() }),
  // The gate takes the wrapper off before anything runs; what arrives here asked for itself.
  run: async () => errorResult('call_tool cannot call itself. Name the tool to call.'),
});

export const describeTool = defineTool({
  name: 'describe_tool',
  description: 'Tells the arguments of tools as JSON Schema.',
  access: 'read',
  parameters: z.object({ names: z.array(z.string()).min(1).max(20) }),
  run: async ({ names }, { describe }) =>
    textResult(names.map((name) => describe(name) ?? `There is no further tool \`${name}\`.`).join('\n')),
});
