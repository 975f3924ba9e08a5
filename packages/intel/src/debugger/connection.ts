/** What comes from a debug adapter by itself. */
export interface ConnectionListener {
  onEvent(event: string, body: unknown): void;
  /** Answers a request of the adapter; undefined: there is no such command. What it throws is the failure. */
  onRequest(command: string, args: unknown): Promise<unknown> | undefined;
  /** The adapter cannot be reached any more. */
  onClosed(reason: Error): void;
}

/** A conversation with a debug adapter in the Debug Adapter Protocol, whatever carries it. */
export interface DebugConnection {
  /** @throws the adapter's refusal, the signal's reason, or why the connection is closed */
  request(command: string, args?: unknown, signal?: AbortSignal): Promise<unknown>;
  close(reason: Error): void;
}

/** How a debuggee is begun with the adapter: the request, with arguments of the adapter's own. */
export interface Configuration {
  request: 'launch' | 'attach';
  arguments: Record<string, unknown>;
}

/** Where an adapter, or a child session's, listens for a connection. */
export interface Address {
  host: string;
  port: number;
}

/** An adapter that runs. */
export interface StartedAdapter {
  readonly configuration: Configuration;
  /** Its numbers of frames and values are never used twice: those of a thread outlive that another one goes on. */
  readonly keepsNumbers?: true;
  /** Opens a conversation: the first one with the adapter itself, later ones for child sessions. */
  connect(listener: ConnectionListener, to?: Address): Promise<DebugConnection>;
  /** Resolves when it and all that it has started has ended, with what it said about it where that is worth telling. */
  readonly ended: Promise<{ words: string }>;
  /** Ends it and all that it has started. A debuggee that it was only attached to is let go. */
  end(): Promise<void>;
}
