import type { Engine } from '@black-ide/engine';
import type { Choices, ViewItem } from '@black-ide/protocol';
import { unwrap } from '../failure.ts';

/** What the settings have to know of the conversation, and how they tell it something. */
export interface Conversation {
  readonly engine: Engine;
  readonly sessionId: string;
  readonly isEmpty: boolean;
  readonly running: boolean;
  /** The folder is not trusted. */
  readonly readOnly: boolean;
  note(text: string, tone?: 'bad'): void;
  fail(error: { message: string; next?: string }): void;
  /** What the status line says is different. */
  changed(): void;
}

/** Mode and model; where one is undefined, the session's own or the engine's default holds. */
export interface Chosen {
  mode?: string | undefined;
  model?: string | undefined;
}

/** The modes that Shift+Tab goes through; `/mode` has the others. */
const MAIN_MODES = ['Agent', 'Ask', 'Plan'];

/** Mode and model of a conversation: what its log says, what the person chose for the next task, and what the model can. */
export class TaskSettings {
  readonly #conversation: Conversation;
  readonly #chosen: Chosen;
  #mode = '';
  #model = '';
  #isPlanning = false;
  #window = { model: '', tokens: 0, images: true };

  constructor(conversation: Conversation, { mode, model }: Chosen) {
    this.#conversation = conversation;
    this.#chosen = { mode, model };
  }

  /** What goes with the next task. */
  get chosen(): Readonly<Chosen> {
    return this.#chosen;
  }

  get mode(): string {
    return this.#chosen.mode ?? (this.#mode || 'Agent');
  }

  /** The model, its window in tokens (0: not known yet), and whether it takes images. */
  get window(): Readonly<{ model: string; tokens: number; images: boolean }> {
    return this.#window;
  }

  /** The running task's plan is not approved yet. */
  get isPlanning(): boolean {
    return this.#isPlanning;
  }

  /** Another session is followed from here on; what was chosen stays. */
  forget(): void {
    this.#mode = '';
    this.#model = '';
    this.#isPlanning = false;
  }

  /** What an item of the session says of mode and model. */
  notice(item: ViewItem): void {
    if (item.kind === 'mode') this.#mode = item.mode;
    if (item.kind === 'model') this.#model = `${item.provider}/${item.modelId}`;
    if (item.kind === 'taskEnd') this.#isPlanning = false;
    if (item.kind === 'response' && item.response.kind === 'plan')
      this.#isPlanning &&= item.response.value !== 'approve';
    if (item.kind === 'taskStart') {
      this.#isPlanning = item.planning === true;
      this.#model = item.model;
      const { mode = '', model } = this.#chosen;
      // What was chosen while another task ran still waits for its turn.
      if (mode.toLowerCase() === this.#mode.toLowerCase()) this.#chosen.mode = undefined;
      if (model === item.model) this.#chosen.model = undefined;
      if (this.#model !== this.#window.model) void this.#describe(this.#model);
    }
  }

  /** Asks the engine about the model that holds now. */
  async describe(): Promise<void> {
    await this.#describe(this.#chosen.model ?? (this.#model || undefined));
  }

  /** What there is to choose from. */
  async choices(): Promise<Choices> {
    return unwrap(await this.#conversation.engine.execute({ type: 'listChoices' }));
  }

  /** The model for the next task on. */
  async setModel(name: string): Promise<void> {
    const { engine, isEmpty, sessionId } = this.#conversation;
    if (/\s/.test(name)) {
      const why = `✗ “${name}” is no model: a name has no blanks. Send a message on a line of its own.`;
      return this.#conversation.note(why, 'bad');
    }
    const result = isEmpty
      ? await engine.execute({ type: 'describeModel', model: name })
      : await engine.execute({ type: 'setModel', sessionId, model: name });
    if (!result.ok) return this.#conversation.fail(result.error);
    const { model } = result.value;
    this.#chosen.model = this.#conversation.isEmpty ? model : undefined;
    await this.#describe(model);
    // In a session that has begun the log tells it.
    if (this.#conversation.isEmpty) this.#conversation.note(`· model ${model}`);
  }

  async setMode(name: string): Promise<void> {
    const { modes } = await this.choices();
    const { readOnly, running } = this.#conversation;
    const mode = modes.find((each) => each.name.toLowerCase() === name.toLowerCase());
    if (!mode) {
      const hidden = readOnly ? ' Those of this folder are not read: it is not trusted (/trust).' : '';
      const names = modes.map((each) => each.name).join(', ');
      return this.#conversation.note(`There is no mode ${name}. Choose one of: ${names}.${hidden}`, 'bad');
    }
    this.#chosen.mode = mode.name;
    const from = running ? ' from the next task on' : '';
    this.#conversation.note(`· The mode is ${mode.name}${from}: ${mode.description}`);
  }

  /** The main mode after the present one, for the next task on; it is not told: whoever goes through them looks. */
  async nextMode(): Promise<Choices['modes'][number] | undefined> {
    const modes = (await this.choices()).modes.filter(({ name }) => MAIN_MODES.includes(name));
    const at = modes.findIndex(({ name }) => name.toLowerCase() === this.mode.toLowerCase());
    const next = modes[(at + 1) % modes.length];
    this.#chosen.mode = next?.name;
    return next;
  }

  async #describe(model: string | undefined): Promise<void> {
    const { engine } = this.#conversation;
    const known = await engine.execute({ type: 'describeModel', ...(model ? { model } : {}) });
    // A session of another program may name a provider that we do not have.
    const found = known.ok ? known : await engine.execute({ type: 'describeModel' });
    if (!found.ok) return this.#conversation.fail(found.error);
    const { contextWindow, images } = found.value;
    this.#window = { model: found.value.model, tokens: contextWindow, images };
    this.#conversation.changed();
  }
}
