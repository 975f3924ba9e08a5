import type { Engine } from '@black-ide/engine';
import {
  type CommandResult,
  type CommandType,
  type CustomData,
  type EngineCommandInput,
  type EngineEvent,
  type Entry,
  eventsOf,
  foldEntries,
  type NewEntry,
  parseCommand,
  type Request,
  requestCustomType,
  type TransientEvent,
  zeroUsage,
} from '@black-ide/protocol';

type Handlers = { [T in CommandType]?: (command: Extract<EngineCommandInput, { type: T }>) => unknown };

/** An engine that follows a script: each command is recorded and answered by its handler or by a plain success. */
export class FakeEngine implements Engine {
  readonly sessionId = '0199a2b4-c3d4-7000-8000-000000000001';
  readonly commands: EngineCommandInput[] = [];
  readonly entries: Entry[] = [];
  disposed = false;
  /** What `dispose` waits for. */
  disposing: Promise<void> = Promise.resolve();
  readonly handlers: Handlers;
  readonly #listeners = new Set<(event: EngineEvent) => void>();
  #seq = 0;

  constructor(handlers: Handlers = {}) {
    this.handlers = handlers;
  }

  execute<T extends CommandType>(command: Extract<EngineCommandInput, { type: T }>): Promise<CommandResult<T>> {
    return this.executeUnknown(command) as Promise<CommandResult<T>>;
  }

  async executeUnknown(input: unknown): Promise<CommandResult> {
    const parsed = parseCommand(input);
    if (!parsed.ok) return parsed;
    const command = parsed.command as EngineCommandInput;
    this.commands.push(command);
    const handler = this.handlers[command.type] as ((command: EngineCommandInput) => unknown) | undefined;
    const scripted = await handler?.(command);
    if (isFailure(scripted)) return scripted;
    return { ok: true, value: (scripted ?? this.#plain(command.type)) as never };
  }

  onEvent(listener: (event: EngineEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async dispose(): Promise<void> {
    this.disposed = true;
    await this.disposing;
  }

  emit(event: TransientEvent): void {
    this.tell({ ...event, sessionId: this.sessionId, seq: ++this.#seq });
  }

  tell(event: EngineEvent): void {
    for (const listener of this.#listeners) listener(event);
  }

  append(entry: NewEntry): Entry {
    const id = String(this.entries.length + 1).padStart(8, '0');
    const parentId = this.entries.at(-1)?.id ?? null;
    const added = { ...entry, id, parentId, timestamp: '2026-11-30T13:44:00.000Z' } as Entry;
    this.entries.push(added);
    for (const event of eventsOf(added)) this.tell({ ...event, sessionId: this.sessionId, seq: ++this.#seq });
    return added;
  }

  custom<T extends keyof CustomData>(customType: T, data: CustomData[T]): void {
    this.append({ type: 'custom', customType, data });
  }

  request(request: Request): void {
    this.append({ type: 'custom', customType: requestCustomType(request.kind, this.sessionId), data: request });
  }

  user(text: string): void {
    this.append({ type: 'message', message: { role: 'user', content: text, timestamp: 0 } });
  }

  assistant(
    text: string,
    calls: { id: string; name: string; arguments: Record<string, unknown> }[] = [],
    cost = 0.1,
  ): void {
    this.append({
      type: 'message',
      message: {
        role: 'assistant',
        content: [{ type: 'text', text }, ...calls.map((call) => ({ type: 'toolCall' as const, ...call }))],
        api: 'fake',
        provider: 'fake',
        model: 'model',
        usage: { ...zeroUsage(), input: 100, output: 10, totalTokens: 110, cost: { ...zeroUsage().cost, total: cost } },
        stopReason: calls.length > 0 ? 'toolUse' : 'stop',
        timestamp: 0,
      },
    });
  }

  toolResult(toolCallId: string, toolName: string, details: unknown): void {
    const message = { toolCallId, toolName, content: [], details, isError: false, timestamp: 0 };
    this.append({ type: 'message', message: { role: 'toolResult', ...message } });
  }

  /** Runs a script as a task would run: events of the beginning, the script, events of the end. */
  task(script: () => void | Promise<void>): void {
    void (async () => {
      this.emit({ type: 'RunningChanged', running: true });
      this.custom('task_start', { messageId: '1', mode: 'Agent', model: 'fake/model', maxIterations: 25 });
      await script();
      this.emit({ type: 'RunningChanged', running: false });
    })();
  }

  /** Answers every task with this text. */
  static answering(text: string): FakeEngine {
    const engine: FakeEngine = new FakeEngine({
      startAgentTask: ({ text: prompt }) => {
        engine.user(prompt);
        engine.task(() => {
          engine.assistant(text);
          engine.custom('task_end', { outcome: 'completed', message: text });
        });
      },
    });
    return engine;
  }

  #plain(type: CommandType): unknown {
    const { sessionId } = this;
    const header = { type: 'session', version: 3, id: sessionId, timestamp: '2026-11-30T13:44:00.000Z', cwd: '/work' };
    switch (type) {
      case 'newSession':
        return { sessionId };
      case 'openSession':
        return { sessionId, header, problems: [] };
      case 'readSession':
        return { sessionId, header, view: foldEntries(sessionId, this.entries), problems: [] };
      case 'subscribe':
        return { seq: this.#seq, view: foldEntries(sessionId, this.entries) };
      case 'startAgentTask':
        return { queued: false };
      case 'resumeTask':
        return { resumed: true };
      case 'cancelTask':
        return { cancelled: true };
      case 'listSessions':
        return { sessions: [] };
      case 'describeTrust':
        return { folder: '/work', trusted: true, how: 'stored', ignored: [] };
      case 'listConfigProblems':
        return { problems: [], sandbox: 'auto' };
      case 'listModes':
        return { modes: [], problems: [] };
      case 'listRules':
        return { files: [] };
      case 'listLanguageServers':
        return { servers: [] };
      default:
        return {};
    }
  }
}

function isFailure(value: unknown): value is { ok: false; error: { code: string; message: string } } {
  return typeof value === 'object' && value !== null && (value as { ok?: unknown }).ok === false;
}
