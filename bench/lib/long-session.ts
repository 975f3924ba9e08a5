export interface LongSession {
  cwd: string;
  entries: number;
  /** About how large the file is; results carry most of it. */
  bytes: number;
}

/** The file of a long working session: questions, calls with their write-ahead, results of code and output. */
export function longSession({ cwd, entries, bytes }: LongSession): string {
  const header = { type: 'session', version: 3, id: 'bench', timestamp: '2026-01-01T00:00:00.000Z', cwd };
  const lines = [JSON.stringify(header)];
  const code =
    'export function total(items: readonly Item[]): number {\n\treturn items.reduce((sum, { price }) => sum + price, 0); // "€" – é 😀\n}\n';
  // Every fifth entry is a result and carries most of the bytes, as it is in real sessions.
  const result = code.repeat(Math.ceil(((bytes / entries) * 5 - 1_200) / code.length));
  for (let i = 0; i < entries; i++) {
    const base = { id: id(i), parentId: i ? id(i - 1) : null, timestamp: new Date(1.77e12 + i * 1000).toISOString() };
    lines.push(JSON.stringify({ ...base, ...body(i, result) }));
  }
  return `${lines.join('\n')}\n`;
}

function body(i: number, result: string): object {
  const callId = `call_${Math.floor(i / 5)}`;
  const usage = { input: 5, output: 9, cacheRead: 900, cacheWrite: 0, totalTokens: 914, cost: { total: 0.01 } };
  const by = { api: 'anthropic-messages', provider: 'anthropic', model: 'some-model', usage, timestamp: i };
  const call = { type: 'toolCall', id: callId, name: 'read_file', arguments: { path: 'src/cart.ts' } };
  switch (i % 5) {
    case 0:
      return { type: 'message', message: { role: 'user', content: 'Where is the total computed?', timestamp: i } };
    case 1:
      return { type: 'message', message: { role: 'assistant', content: [call], ...by, stopReason: 'toolUse' } };
    case 2:
      return { type: 'custom', customType: 'tool_start', data: { callId, name: call.name, args: call.arguments } };
    case 3: {
      const content = [{ type: 'text', text: result }];
      const message = { role: 'toolResult', toolCallId: callId, toolName: call.name, content, isError: false };
      return { type: 'message', message: { ...message, timestamp: i } };
    }
    default: {
      const content = [{ type: 'text', text: 'It is in `total`. '.repeat(20) }];
      return { type: 'message', message: { role: 'assistant', content, ...by, stopReason: 'stop' } };
    }
  }
}

function id(i: number): string {
  return i.toString(16).padStart(8, '0');
}
