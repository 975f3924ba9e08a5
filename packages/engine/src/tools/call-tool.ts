import * as z from 'zod';
import { defineTool, errorResult, type Tool, textResult } from './define-tool.ts';

/**
 * The way to tools whose schemas are not in the request (rare ones, MCP): the `tools` array, and with it the prefix
 * that providers cache, never changes when such tools come or go.
 */
export function disclosureTools<Services>(
  rare: () => readonly Tool<Services>[],
  schemaOf: (tool: Tool<Services>) => unknown,
) {
  const list = rare().map((tool) => `\n- ${tool.name}: ${tool.description.split('. ')[0]}`);
  const callTool = defineTool<Services, z.ZodObject>({
    name: 'call_tool',
    description: `Calls a tool by name, also one that is not listed here (describe_tool tells its arguments).${list.join('')}`,
    access: 'control',
    parameters: z.object({ name: z.string(), arguments: z.record(z.string(), z.unknown()).optional() }),
    // The gate takes the wrapper off before anything runs; what arrives here asked for itself.
    run: async () => errorResult('call_tool cannot call itself. Name the tool to call.'),
  });
  const describeTool = defineTool<Services, z.ZodObject<{ names: z.ZodArray<z.ZodString> }>>({
    name: 'describe_tool',
    description: 'Tells the arguments of tools as JSON Schema.',
    access: 'read',
    parameters: z.object({ names: z.array(z.string()).min(1).max(20) }),
    run: async ({ names }) => {
      const known = new Map(rare().map((tool) => [tool.name, tool]));
      const texts = names.map((name) => {
        const tool = known.get(name);
        return tool ? JSON.stringify(schemaOf(tool)) : `There is no further tool \`${name}\`.`;
      });
      return textResult(texts.join('\n'));
    },
  });
  return [callTool, describeTool];
}
