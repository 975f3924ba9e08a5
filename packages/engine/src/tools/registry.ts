import type { LanguageModelV4FunctionTool } from '@ai-sdk/provider';
import * as z from 'zod';
import type { Mode } from '../modes/mode.ts';
import type { Tool } from './define-tool.ts';

/** The tools there are. Names are kept in a Map: a tool called `constructor` is one like any other. */
export class ToolRegistry<Services> {
  readonly #tools = new Map<string, Tool<Services>>();
  readonly #schemas = new WeakMap<Tool<Services>, LanguageModelV4FunctionTool>();

  constructor(tools: readonly Tool<Services>[]) {
    for (const tool of tools) this.#tools.set(tool.name, tool);
  }

  get(name: string): Tool<Services> | undefined {
    return this.#tools.get(name);
  }

  names(): string[] {
    return [...this.#tools.keys()];
  }

  /** Why a mode withholds a tool, or undefined where it offers it. */
  withheld(name: string, mode: Mode): string | undefined {
    if (!mode.tools || mode.tools.includes(name)) return undefined;
    const now = mode.readOnly ? ', in which nothing may change now' : '';
    return `The tool \`${name}\` is not part of the mode ${mode.name}${now}.`;
  }

  /**
   * The `tools` array of a request: fixed for a tool set, in the order of registration, rare ones left out.
   * @param offers takes away more than the mode does.
   */
  definitions(mode: Mode, offers: (tool: Tool<Services>) => boolean = () => true): LanguageModelV4FunctionTool[] {
    return [...this.#tools.values()]
      .filter((tool) => !isRare(tool, mode) && !this.withheld(tool.name, mode) && offers(tool))
      .map((tool) => {
        const definition = this.definition(tool);
        if (!tool.listsRare) return definition;
        const list = this.rare(mode)
          .filter(offers)
          .map((rare) => `\n- ${rare.name}: ${firstSentence(rare.description)}`);
        return { ...definition, description: definition.description + list.join('') };
      });
  }

  /** Every tool, in the order of registration. */
  all(): Tool<Services>[] {
    return [...this.#tools.values()];
  }

  /** What `describe_tool` tells of a tool; undefined where the mode has none of that name. */
  describe(name: string, mode: Mode): string | undefined {
    const tool = this.#tools.get(name);
    if (!tool || this.withheld(name, mode)) return undefined;
    const { description, inputSchema: parameters } = this.definition(tool);
    return JSON.stringify({ name, description, parameters });
  }

  /** Tools that are offered by name only, through `call_tool`. */
  rare(mode: Mode): Tool<Services>[] {
    return [...this.#tools.values()].filter((tool) => isRare(tool, mode) && !this.withheld(tool.name, mode));
  }

  definition(tool: Tool<Services>): LanguageModelV4FunctionTool {
    let known = this.#schemas.get(tool);
    if (!known) {
      known = {
        type: 'function',
        name: tool.name,
        description: tool.description,
        inputSchema: inputSchema(tool.parameters),
      };
      this.#schemas.set(tool, known);
    }
    return known;
  }
}

function isRare({ name, rare = false }: Pick<Tool, 'name' | 'rare'>, { tools = [] }: Mode): boolean {
  return rare === 'unless-named' ? !tools.includes(name) : rare;
}

function firstSentence(description: string): string {
  return description.split('. ')[0]!.replace(/\.$/, '');
}

/** Bounds that no sensible call comes near. */
const BOUNDS = ['exclusiveMinimum', 'minLength', 'maxLength', 'minItems', 'maxItems'] as const;

const NO_MINIMUM: ReadonlySet<number | undefined> = new Set([Number.MIN_SAFE_INTEGER, 0, 1]);

/** What a schema without it says as well. */
function isAnything(schema: unknown): boolean {
  return typeof schema === 'object' && schema !== null && Object.keys(schema).length === 0;
}

/** JSON Schema as the providers want it, without what only costs tokens: the arguments are checked here all the same. */
function inputSchema(schema: z.ZodObject): LanguageModelV4FunctionTool['inputSchema'] {
  const override = ({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema }) => {
    if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
    if (NO_MINIMUM.has(jsonSchema.minimum)) delete jsonSchema.minimum;
    for (const bound of BOUNDS) delete jsonSchema[bound];
    if (jsonSchema.propertyNames) delete jsonSchema.propertyNames;
    if (isAnything(jsonSchema.additionalProperties)) delete jsonSchema.additionalProperties;
  };
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io: 'input', override });
  return json as LanguageModelV4FunctionTool['inputSchema'];
}
