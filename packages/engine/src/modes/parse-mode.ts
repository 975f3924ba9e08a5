import { BlackError } from '@black-ide/protocol';
import { parse } from 'yaml';
import * as z from 'zod';
import { DEFAULT_MAX_ITERATIONS, type Mode } from './mode.ts';

const frontMatter = z.object({
  name: z.string().trim().min(1),
  description: z.string().default(''),
  icon: z.string().optional(),
  model: z.string().optional(),
  tools: z.array(z.string()).nullish(),
  maxIterations: z.number().int().min(1).max(500).default(DEFAULT_MAX_ITERATIONS),
});

/**
 * Reads a mode file: YAML front matter between `---` lines, then the body.
 * @throws BlackError `bad_mode` with the file's name and what is wrong.
 */
export function parseMode(text: string, file: string): Mode {
  const match = /^---\n(.*?)\n---\n?(.*)$/s.exec(text.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n'));
  if (!match) throw new BlackError('bad_mode', `${file} does not begin with front matter between --- lines.`);
  const parsed = frontMatter.safeParse(parse(match[1]!) ?? {});
  if (!parsed.success) throw new BlackError('bad_mode', `${file}: ${z.prettifyError(parsed.error)}`);
  const { tools, ...rest } = parsed.data;
  return { ...rest, ...(tools?.length ? { tools } : {}), body: match[2]!.trim() };
}
