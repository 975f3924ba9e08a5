import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { isRecord } from '@black-ide/protocol';
import { Mailbox, sandboxNotes } from '@black-ide/workspace';
import { BOOTLOADER, BOOTLOADER_FILE, type Greeting, nodeOptions } from '../node-adapter/bootloader.ts';
import type { NodeProgram } from '../node-adapter/node-adapter.ts';
import type { AdapterWorld } from './adapter-world.ts';

/** A command line whose Node processes are debugged, run as any other command is. */
export function nodeProgram(command: string, cwd: string, world: AdapterWorld): NodeProgram {
  const { root, processes, env, sandbox } = world;
  return {
    run: async ({ onGreeting, onOutput, signal }) => {
      const runId = randomBytes(16).toString('hex');
      const name = `black-mail-${runId}`;
      const mailbox = new Mailbox({
        folder: sandbox ? join(sandbox.temporary, name) : processes.makeFolder(runId),
        files: { [BOOTLOADER_FILE]: BOOTLOADER },
        onLetter: (text) => {
          const greeting = readGreeting(text);
          if (greeting) onGreeting(greeting);
        },
      });
      const inside = sandbox ? `/tmp/${name}` : mailbox.folder;
      const ours = { ...env, NODE_OPTIONS: nodeOptions(inside, env.NODE_OPTIONS) };
      try {
        const {
          exitCode,
          signal: killedBy,
          sandbox: report,
        } = await processes.run({
          command,
          cwd,
          env: ours,
          runId,
          signal,
          onOutput,
          maxOutputBytes: 0,
          ...(sandbox ? { sandbox: () => sandbox.contain({ cwd, env: definedOf(ours) }) } : {}),
        });
        for (const note of report ? sandboxNotes(report, { root, output: '', failed: exitCode !== 0 }) : []) {
          onOutput(`${note}\n`);
        }
        return { exitCode, words: killedBy && !signal.aborted ? `It was ended by ${killedBy}.` : '' };
      } finally {
        mailbox.close();
      }
    },
  };
}

/** A letter comes from the program, which may write what it wants. */
function readGreeting(text: string): Greeting | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (!isRecord(value) || typeof value.url !== 'string' || !URL.canParse(value.url)) return undefined;
    const argv = Array.isArray(value.argv) ? value.argv.filter((each) => typeof each === 'string') : [];
    return { url: value.url, pid: Number(value.pid), argv };
  } catch {
    // No letter of the bootloader.
    return undefined;
  }
}

function definedOf(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(Object.entries(env).filter((each): each is [string, string] => each[1] !== undefined));
}
