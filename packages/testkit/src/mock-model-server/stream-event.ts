/** One server-sent event. Anthropic names its events, the Chat wire does not. */
export interface StreamEvent {
  name?: string;
  /** An object is sent as JSON, a string (`[DONE]`) as it is. */
  data: object | string;
}

/** The bytes of an event as both providers frame them: `event:` line if named, one `data:` line, an empty line. */
export function frameOf(event: StreamEvent): Buffer {
  const data = typeof event.data === 'string' ? event.data : JSON.stringify(event.data);
  return Buffer.from(`${event.name === undefined ? '' : `event: ${event.name}\n`}data: ${data}\n\n`);
}

/** One JSON value a line. */
export function lineOf(event: StreamEvent): Buffer {
  return Buffer.from(`${typeof event.data === 'string' ? event.data : JSON.stringify(event.data)}\n`);
}
