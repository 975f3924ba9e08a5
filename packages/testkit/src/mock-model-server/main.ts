import { appendFileSync, readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { createMockModelServer } from './mock-model-server.ts';
import type { RecordedRequest } from './recorded-request.ts';
import { parseScript } from './script.ts';

/**
 * The mock model server for the shell. Prints one JSON line `{url, …Url for each wire, pid}` when it listens, then
 * runs until SIGTERM or SIGINT. Gates of the script are opened with `curl -X POST <url>/__mock/gates/<name>/release`.
 */
const USAGE = `usage: node main.ts <script.json> [--port 0] [--log requests.jsonl] [--lenient]

  --port     port on 127.0.0.1; 0 takes a free one
  --log      append a line for each request when it arrived and when its reply ended
  --lenient  let unknown fields, neighbouring roles and foreign thinking signatures pass
`;

/** Replies still under way need theirs; the log has all of them. */
const KEPT_BODIES = 100;
const SECRET_HEADERS = ['authorization', 'x-api-key', 'x-goog-api-key'];

function shownHeaders(record: RecordedRequest): Record<string, unknown> {
  const shown = Object.entries(record.headers).map(([name, value]) => [
    name,
    SECRET_HEADERS.includes(name) ? '***' : value,
  ]);
  return Object.fromEntries(shown);
}

function requestLine(record: RecordedRequest): object {
  const { index, method, wire, arrivedAt, gapMs, body } = record;
  const path = record.path.replace(/([?&]key=)[^&]+/, '$1***');
  const bytes = record.rawBody.length;
  return { event: 'request', index, method, path, wire, arrivedAt, gapMs, bytes, headers: shownHeaders(record), body };
}

function replyLine(record: RecordedRequest): object {
  const { index, status, endedAt, broken, refusal } = record;
  return { event: 'reply', index, status, endedAt, broken, refusal: refusal?.body };
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { port: { type: 'string', default: '0' }, log: { type: 'string' }, lenient: { type: 'boolean' } },
  });
  const [path] = positionals;
  const port = Number(values.port);
  if (path === undefined || positionals.length > 1 || !Number.isInteger(port)) throw new Error(USAGE);
  const script = parseScript(JSON.parse(readFileSync(path, 'utf8')));
  const lenient = values.lenient ?? false;
  const write = (line: object): void => {
    if (values.log !== undefined) appendFileSync(values.log, `${JSON.stringify(line)}\n`);
  };
  const server = await createMockModelServer(script, {
    port,
    allowUnknownFields: lenient,
    allowConsecutiveRoles: lenient,
    allowForeignSignatures: lenient,
    keepBodies: KEPT_BODIES,
  });
  server.subscribe((what, record) => {
    if (what === 'request') write(requestLine(record));
    if (what === 'reply') write(replyLine(record));
  });
  for (const name of ['SIGTERM', 'SIGINT'] as const) process.once(name, () => void server.close());
  const { url, anthropicUrl, openaiUrl, googleUrl, ollamaUrl, openrouterUrl } = server;
  const addresses = { url, anthropicUrl, openaiUrl, googleUrl, ollamaUrl, openrouterUrl };
  process.stdout.write(`${JSON.stringify({ ...addresses, pid: process.pid })}\n`);
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 2;
});
