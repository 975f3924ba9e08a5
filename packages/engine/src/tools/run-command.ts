import { randomUUID } from 'node:crypto';
import {
  type BlockedHost,
  type CommandWatch,
  plainText,
  type SandboxReport,
  sandboxNotes,
  tellsReadOnly,
} from '@black-ide/workspace';
import * as z from 'zod';
import { defineTool, errorResult, type ToolContext, textResult } from './define-tool.ts';
import type { SessionServices } from './workspace-services.ts';

const DEFAULT_SECONDS = 120;
const MAX_SECONDS = 3_600;
/** Of a command's output the model gets the beginning and the end; the whole of it is in a file. */
const MAX_OUTPUT_BYTES = 30_000;
const MAX_SPILL_BYTES = 64 * 1024 * 1024;
/** So many written files a face is told of. */
const MAX_TOLD = 20;

export const runCommand = defineTool({
  name: 'run_command',
  description:
    'Runs a command line in bash, without terminal or input. Output is stdout and stderr together, cut in the middle when long. With `background` (servers, watchers) it answers at once with an id for command_output.',
  access: 'execute',
  parameters: z.object({
    command: z.string().min(1),
    timeout_seconds: z.number().positive().max(MAX_SECONDS).optional(),
    cwd: z.string().optional().describe('folder'),
    background: z.boolean().optional(),
    unsandboxed: z.boolean().optional(),
  }),
  paths: ({ cwd }) => (cwd === undefined ? [] : [cwd]),
  command: ({ command }) => command,
  run: async ({ command, timeout_seconds, cwd, background, unsandboxed }, context: ToolContext<SessionServices>) => {
    const { services, signal, callId, onOutput, onlyReads } = context;
    const folder = cwd === undefined ? services.root : services.resolve(cwd, 'read').real;
    // What is proven to read only is held to it: a proof may be wrong, and a plan must change nothing (IDE-29).
    const held = { cwd: folder, background: background === true, readOnly: onlyReads };
    const sandbox = unsandboxed ? undefined : await services.contain(held);
    const run = { command, cwd: folder, env: services.commandEnvironment, ...(sandbox ? { sandbox } : {}) };
    const exposed = sandbox ? {} : { unsandboxed: true };
    const watch = onlyReads ? undefined : await services.watches.before(callId, signal, command);
    // What a command has written is looked for at the next question about the code.
    if (!onlyReads) services.code.stale();
    if (background) {
      const started = await unlessItFails(watch, () =>
        services.background.start({
          ...run,
          ...(timeout_seconds === undefined ? {} : { timeoutMs: timeout_seconds * 1000 }),
        }),
      );
      if (watch) services.watches.follow(started.id, watch);
      services.watches.noticed(services.background.list());
      const how = `call_tool command_output {"id": "${started.id}"} reads it, stop_command ends it`;
      return textResult(`[${started.id} runs in the background; ${how}; it ends with the session]`, {
        kind: 'background',
        commands: [started],
        ...exposed,
      });
    }
    const spill = services.outputFolder && {
      path: `${services.outputFolder}/${safeName(callId)}-${randomUUID().slice(0, 8)}.txt`,
      maxBytes: MAX_SPILL_BYTES,
      through: services.secrets.byteStream(),
    };
    const result = await unlessItFails(watch, () =>
      services.processes.run({
        ...run,
        timeoutMs: (timeout_seconds ?? DEFAULT_SECONDS) * 1000,
        signal,
        onOutput,
        maxOutputBytes: MAX_OUTPUT_BYTES,
        ...(spill ? { spillFile: spill } : {}),
      }),
    );
    const report = watch && (await services.watches.after(watch));
    const seconds = (result.durationMs / 1000).toFixed(1);
    const details = {
      kind: 'command',
      command,
      exitCode: result.exitCode,
      seconds: Number(seconds),
      ...(result.spilledTo ? { outputFile: result.spilledTo } : {}),
      ...report,
      ...exposed,
      ...(result.sandbox ? sandboxDetails(result.sandbox, result.exitCode !== 0, result.output, services) : {}),
    };
    const notes: string[] = [];
    if (result.spilledTo)
      notes.push(`[the whole output, ${result.totalBytes} bytes, is in ${result.spilledTo}; search it with a command]`);
    if (result.endedInBackground > 0)
      notes.push(`[ended ${result.endedInBackground} process(es) left in the background]`);
    if (result.sandbox) {
      const failed = result.exitCode !== 0;
      notes.push(...sandboxNotes(result.sandbox, { root: services.root, output: result.output, failed }));
    }
    const text = (end: string) => [plainText(result.output).trimEnd(), ...notes, end].filter(Boolean).join('\n');
    if (result.aborted) return errorResult(text(`[cancelled after ${seconds} s]`), { ...details, interrupted: true });
    if (result.timedOut)
      return errorResult(text(`[timed out after ${seconds} s and was ended]`), { ...details, timedOut: true });
    const how = result.exitCode === null ? `ended by ${result.signal}` : `exit code ${result.exitCode}`;
    return textResult(text(`[${how}, ${seconds} s]`), details);
  },
});

/** A command that does not even start has changed nothing. */
async function unlessItFails<T>(watch: CommandWatch | undefined, start: () => Promise<T>): Promise<T> {
  try {
    return await start();
  } catch (cause) {
    watch?.end();
    throw cause;
  }
}

/** What the sandbox had to do with how a command went, for a face. A host that it did without is not worth a word. */
function sandboxDetails(report: SandboxReport, failed: boolean, output: string, services: SessionServices) {
  const { blockedHosts, setAside, homeWrites } = report;
  const entries = failed ? blockedHosts.flatMap(({ entry }) => entry ?? []).slice(0, MAX_TOLD) : [];
  return {
    ...(entries.length > 0 ? { allowHosts: services.allowHosts(entries) } : {}),
    ...(failed && blockedHosts.length > 0 ? { blockedHosts: [...new Set(blockedHosts.map(hostText))] } : {}),
    ...(setAside.length > 0 ? { setAside } : {}),
    ...(homeWrites.length > 0 ? { homeWrites: homeWrites.slice(0, MAX_TOLD) } : {}),
    ...(failed && tellsReadOnly(output) ? { readOnly: true } : {}),
  };
}

function hostText({ host, port }: BlockedHost): string {
  return `${host}:${port}`;
}

/** A call's id comes from the model's server, which may use it again: only harmless characters become part of a name. */
function safeName(callId: string): string {
  return callId.replaceAll(/[^A-Za-z0-9_-]/g, '_').slice(0, 80) || 'call';
}
