// Makes the shipped model catalogue anew: `npm pack @earendil-works/pi-ai`, unpack it, then
// `node scripts/update-catalogue.ts FOLDER`. Its data (MIT) come from models.dev and the providers' own lists.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

interface Cost {
  input: number;
  output: number;
  cacheRead: number;
  cacheWrite: number;
}

interface Source {
  id: string;
  name: string;
  reasoning: boolean;
  input: string[];
  contextWindow: number;
  maxTokens: number;
  cost?: Cost & { tiers?: (Cost & { inputTokensAbove: number })[] };
}

const folder = process.argv[2];
if (!folder) throw new Error('Name the folder of the unpacked package.');
const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Record<
  string,
  string
>;
const { MODELS } = (await import(pathToFileURL(join(folder, 'dist/models.generated.js')).href)) as {
  MODELS: Record<string, Record<string, Source>>;
};
for (const provider of ['anthropic', 'openai', 'google', 'openrouter']) {
  const models = Object.values(MODELS[provider]!).sort((a, b) => (a.id < b.id ? -1 : 1));
  const lines = models.map((model) => `    ${JSON.stringify(model.id)}: ${JSON.stringify(entry(model, provider))}`);
  const source = JSON.stringify(`${name} ${version} (${license})`);
  const text = `{\n  "source": ${source},\n  "models": {\n${lines.join(',\n')}\n  }\n}\n`;
  writeFileSync(join(import.meta.dirname, '../packages/engine/catalogue', `${provider}.json`), text);
  console.log(`${provider}: ${models.length} models`);
}

function entry(model: Source, provider: string): Record<string, unknown> {
  const { cost } = model;
  const free = provider === 'openrouter' && model.id.endsWith(':free');
  const known = cost && (cost.input > 0 || cost.output > 0 || free);
  const tiers = cost?.tiers?.map((tier) => ({ above: tier.inputTokensAbove, ...prices(tier) }));
  return {
    name: model.name,
    context: model.contextWindow,
    output: model.maxTokens,
    ...(model.input.includes('image') ? { images: true } : {}),
    ...(model.reasoning ? { thinking: true } : {}),
    ...(known ? { prices: { ...prices(cost), ...(tiers?.length ? { tiers } : {}) } } : {}),
  };
}

/** A cache price of 0 beside a real one means that nobody wrote it down: it is left out. */
function prices({ input, output, cacheRead, cacheWrite }: Cost): Partial<Cost> {
  return { input, output, ...(cacheRead > 0 ? { cacheRead } : {}), ...(cacheWrite > 0 ? { cacheWrite } : {}) };
}
