import type { ModelSummary, ProviderModels } from '@black-ide/protocol';
import { EXIT, unwrap } from '../failure.ts';
import { openEngine } from '../headless/open-engine.ts';
import { type Io, warn } from '../io.ts';
import { price, windowSize } from '../text/amounts.ts';
import { fitWidth, widthOf } from '../text/fit-width.ts';
import { visibleLine } from '../text/visible-text.ts';

export interface ModelsOptions {
  provider?: string;
  refresh: boolean;
  json: boolean;
}

/** `black models`: what can be asked, from the providers themselves where they answer (IDE-26). */
export async function models({ provider, refresh, json }: ModelsOptions, io: Io): Promise<number> {
  const opened = await openEngine(io, { face: 'headless', asks: 'refuse', needsHome: false, anywhere: true });
  try {
    const command = { type: 'listModels' as const, refresh, ...(provider ? { provider } : {}) };
    const { providers } = unwrap(await opened.engine.execute(command));
    if (json) io.out.line(JSON.stringify(providers, undefined, 2));
    for (const list of providers) {
      if (list.problem)
        warn(io, `${visibleLine(list.problem.message)}${list.models.length > 0 ? SHOWN_INSTEAD[list.source] : ''}`);
      if (!json) print(list, io);
    }
    const empty = providers.every((list) => list.models.length === 0);
    if (empty && !json && !provider) io.err.line(NOTHING);
    return empty ? EXIT.failed : EXIT.done;
  } finally {
    await opened.dispose();
  }
}

const SHOWN_INSTEAD: Readonly<Record<ProviderModels['source'], string>> = {
  live: '',
  kept: ' This is its last list.',
  catalogue: ' This is what came with black.',
};

const NOTHING = 'No model can be asked yet. black auth set anthropic stores a key; offline needs none.';

function print({ provider, models }: ProviderModels, io: Io): void {
  const columns = io.out.isTerminal ? io.out.columns : Number.POSITIVE_INFINITY;
  const names = models.map(({ id }) => visibleLine(`${provider}/${id}`));
  const width = Math.min(Math.max(0, ...names.map(widthOf)), 48);
  for (const [index, model] of models.entries()) {
    const name = names[index]!;
    const facts = factsOf(model);
    const padded = facts ? name + ' '.repeat(Math.max(2, width + 2 - widthOf(name))) : name;
    io.out.line(fitWidth(padded + facts, columns));
  }
}

function factsOf({ info = {} }: ModelSummary): string {
  const { contextWindow, maxOutput, images, thinking, prices } = info;
  const facts = [
    contextWindow ? `${windowSize(contextWindow)} context` : undefined,
    maxOutput ? `${windowSize(maxOutput)} answer` : undefined,
    images ? 'images' : undefined,
    thinking ? 'thinking' : undefined,
    prices ? `$${price(prices.input)} in, $${price(prices.output)} out a million` : undefined,
  ];
  return facts.filter((fact) => fact !== undefined).join(' · ');
}
