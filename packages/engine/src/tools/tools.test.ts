import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { systemPrompt } from '../context/system-prompt.ts';
import { BuiltInModes } from '../modes/built-in-modes.ts';
import { builtInTools } from './built-in.ts';
import { ToolRegistry } from './registry.ts';

const registry = new ToolRegistry(builtInTools());
const modes = new BuiltInModes();

describe('the built-in tools', () => {
  it('IDE-73 are tabulated in the docs, each with its access class', () => {
    const docs = readFileSync(new URL('../../../../docs/tools.md', import.meta.url), 'utf8');
    const rows = [...docs.matchAll(/^\| `([a-z_]+)` +\| (\w+) +\| (\w+) +\|/gm)].map(([, name, access, offered]) => ({
      name,
      access,
      rare: offered === 'rare',
    }));
    const tools = registry.all().map(({ name, access, rare }) => ({ name, access, rare: Boolean(rare) }));
    expect(rows).toEqual(tools);
  });

  it('IDE-73 leave most of 8 KB of the first request in Agent mode to other things', () => {
    const agent = modes.get('agent')!;
    const system = systemPrompt(agent, { cwd: '/home/someone/a-project', platform: 'linux', started: '2026-01-01' });
    const size = JSON.stringify(registry.definitions(agent)).length + system.length;
    expect(size).toBeLessThan(6_500);
  });

  it('IDE-73 a mode offers and describes only what it may call', () => {
    const ask = modes.get('ask')!;
    const text = JSON.stringify(registry.definitions(ask));
    expect(text).not.toContain('stop_command');
    expect(text).not.toContain('edit_file');
    expect(registry.describe('edit_file', ask)).toBeUndefined();
    expect(registry.describe('stop_command', modes.get('agent')!)).toContain('"id"');
    expect(JSON.stringify(registry.definitions(modes.get('agent')!))).toContain('\\n- stop_command: Ends a background');
  });
});
