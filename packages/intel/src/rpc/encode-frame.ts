/** A message as one `Content-Length` frame: what is written to the other side's standard input or socket. */
export function encodeFrame(message: unknown): string {
  const body = JSON.stringify(message);
  return `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}
