import type { ModelSummary } from '@black-ide/protocol';
import { price, windowSize } from '../text/amounts.ts';
import type { Chat } from './chat.ts';
import type { InlineFace } from './inline-face.ts';
import { Picker, type PickerRow } from './picker.ts';

/** Has the person choose a model: first from what is known at once, then also from what the providers themselves say. */
export async function pickModel(chat: Chat, inline: InlineFace): Promise<void> {
  const now = chat.status.model;
  const { models } = await chat.settings.choices();
  const facts = new Map<string, Facts>(models.map((name) => [name, {}]));
  for (const model of models) {
    const known = await chat.engine.execute({ type: 'describeModel', model });
    if (known.ok) facts.set(model, known.value);
  }
  const picker = new Picker('Models', rows(facts, now), (name) => name && void chat.settings.setModel(name), {
    verb: 'takes it',
    at: now,
  });
  inline.open(picker);
  const asked = await chat.engine.execute({ type: 'listModels' });
  if (!asked.ok) return chat.fail(asked.error);
  for (const { provider, models: listed } of asked.value.providers) {
    for (const { id, info = {} } of listed) {
      const name = `${provider}/${id}`;
      facts.set(name, { ...facts.get(name), ...info });
    }
  }
  picker.rows = rows(facts, now);
  inline.changed();
}

/** Has the person choose a mode. */
export async function pickMode(chat: Chat, inline: InlineFace): Promise<void> {
  const now = chat.status.mode;
  const { modes } = await chat.settings.choices();
  const choices = modes.map(({ name, description }) => ({
    value: name,
    text: `${name}${name === now ? ' (now)' : ''}: ${description}`,
    tail: '',
  }));
  const options = { verb: 'takes it', at: now };
  inline.open(new Picker('Modes', choices, (name) => name && void chat.settings.setMode(name), options));
}

type Facts = NonNullable<ModelSummary['info']>;

function rows(facts: ReadonlyMap<string, Facts>, now: string): PickerRow<string>[] {
  return [...facts].map(([name, known]) => ({
    value: name,
    text: name === now ? `${name} (now)` : name,
    tail: factsOf(known),
    isName: true,
  }));
}

/** The window, and the prices of a million tokens in and out. */
function factsOf({ contextWindow, prices }: Facts): string {
  const parts = [
    contextWindow ? windowSize(contextWindow) : '',
    prices ? `$${price(prices.input)} / $${price(prices.output)}` : '',
  ];
  return parts.filter((part) => part !== '').join(' · ');
}
