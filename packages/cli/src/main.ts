import type { Invocation } from './args/parse-invocation.ts';
import { parseInvocation } from './args/parse-invocation.ts';
import { UsageError } from './args/usage-error.ts';
import { Output } from './headless/output.ts';
import { type Io, printError } from './io.ts';
import { processWorld } from './process-world.ts';
import type { World } from './world.ts';

/**
 * Runs `black` with these arguments (without the program's name). Answers the exit code when everything is printed;
 * never throws.
 */
export async function main(argv: readonly string[], world: World = processWorld()): Promise<number> {
  const io: Io = { world, out: new Output(world.stdout), err: new Output(world.stderr) };
  let code: number;
  try {
    code = await dispatch(parseInvocation(argv), io);
  } catch (error) {
    code = report(error, io);
  }
  await io.out.flush();
  if (io.out.failure && !io.out.isClosed) {
    printError(io, { message: `The result could not be written: ${io.out.failure.message}` });
    code ||= 1;
  }
  await io.err.flush();
  world.leave(code);
  return code;
}

async function dispatch(invocation: Invocation, io: Io): Promise<number> {
  switch (invocation.command) {
    case 'run':
      return (await import('./commands/run.ts')).run(invocation, io);
    case 'chat':
      return (await import('./commands/chat.ts')).chat(invocation, io);
    case 'approve':
    case 'reject':
      return (await import('./commands/answer.ts')).answer(invocation, io);
    case 'sessions list':
      return (await import('./commands/list-sessions.ts')).listSessions(invocation, io);
    case 'sessions show':
      return (await import('./commands/show-session.ts')).showSession(invocation, io);
    case 'sessions search':
      return (await import('./commands/search-sessions.ts')).searchSessions(invocation, io);
    case 'sessions export':
      return (await import('./commands/export-session.ts')).exportSession(invocation, io);
    case 'sessions rename':
      return (await import('./commands/rename-session.ts')).renameSession(invocation, io);
    case 'sessions rm':
    case 'sessions restore':
      return (await import('./commands/put-away-sessions.ts')).putAwaySessions(invocation, io);
    case 'trust':
      return (await import('./commands/trust.ts')).trust(invocation, io);
    case 'modes':
      return (await import('./commands/modes.ts')).modes(invocation, io);
    case 'undo':
      return (await import('./commands/undo.ts')).undo(invocation, io);
    case 'models':
      return (await import('./commands/models.ts')).models(invocation, io);
    case 'auth list':
      return (await import('./commands/auth.ts')).listKeys(invocation, io);
    case 'auth set':
      return (await import('./commands/auth.ts')).setKey(invocation, io);
    case 'auth remove':
      return (await import('./commands/auth.ts')).removeKey(invocation, io);
    case 'doctor':
      return (await import('./commands/doctor.ts')).doctor(invocation, io);
    case 'debug':
      return (await import('./commands/debug.ts')).debug(invocation, io);
    case 'policy explain':
      return (await import('./commands/explain-policy.ts')).explainPolicy(invocation, io);
    case 'graph':
      return (await import('./commands/graph.ts')).graph(invocation, io);
    case 'ast':
      return (await import('./commands/ast.ts')).ast(invocation, io);
    case 'search':
      return (await import('./commands/search.ts')).search(invocation, io);
    case 'map':
      return (await import('./commands/map.ts')).map(invocation, io);
    case 'diagnose':
      return (await import('./commands/diagnose.ts')).diagnose(invocation, io);
    case 'index':
      return (await import('./commands/index-code.ts')).indexCode(invocation, io);
    case 'mcp':
      return (await import('./commands/mcp.ts')).mcp(invocation, io);
    case 'lsp':
      return (await import('./commands/lsp.ts')).lsp(invocation, io);
    case 'host':
      return (await import('./commands/host.ts')).host(io);
    case 'help': {
      const { helpText } = await import('./args/help-text.ts');
      io.out.write(helpText(invocation.spec, io.out.columns));
      return 0;
    }
    case 'version':
      io.out.line((await import('./version.ts')).VERSION);
      return 0;
  }
}

/** Prints what ended a command early and answers its exit code. */
function report(error: unknown, io: Io): number {
  const { exitCode, next, message } = error as { exitCode?: unknown; next?: string; message?: string };
  const text = typeof message === 'string' ? message : String(error);
  if (error instanceof UsageError) {
    printError(io, { message: text, ...(next ? { next } : {}) });
    return 2;
  }
  if (typeof exitCode === 'number') {
    printError(io, { message: text, ...(next ? { next } : {}) });
    return exitCode;
  }
  printError(io, {
    message: `Something went wrong inside black: ${text}`,
    next: 'Please report it with what you did.',
  });
  if (io.world.env.BLACK_DEBUG && error instanceof Error && error.stack) io.err.line(error.stack);
  return 1;
}
