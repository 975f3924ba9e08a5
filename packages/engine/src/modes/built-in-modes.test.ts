import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { BuiltInModes } from './built-in-modes.ts';
import { parseOwnMode } from './parse-own-mode.ts';
import { TOOL_NAMES } from './tool-names.ts';

const modes = new BuiltInModes();
const READ = 'read_file list_directory grep_search codebase_search code_graph ast_grep web_search web_fetch'.split(' ');
const STEER = 'complete_task cancel_task call_tool describe_tool'.split(' ');
const ASK = ['ask_user', ...STEER];
const WRITE = 'edit_file write_file apply_patch ast_edit resolve'.split(' ');
const RUN = 'run_command command_output stop_command'.split(' ');
const BROWSER = 'open click type read screenshot close'.split(' ').map((name) => `browser_${name}`);
const EXECUTOR = [...READ, ...WRITE, ...RUN, 'update_mindmap', ...STEER];

describe('the built-in modes', () => {
  it.each([
    ['Ask', 25, true, [...READ, ...ASK]],
    ['Plan', 25, true, [...READ, 'create_artifact', 'update_plan', 'run_command', 'command_output', ...ASK]],
    ['Agent', 25, true, undefined],
    ['Frontend', 40, true, undefined],
    ['Backend', 40, true, undefined],
    ['DevOps', 30, true, [...READ, ...WRITE, ...RUN, 'create_artifact', 'update_plan', ...ASK]],
    ['Manager', 15, true, [...READ, 'spawn_subagent', 'create_artifact', 'update_plan', ...ASK]],
    ['Sr Architect', 20, true, [...READ, 'create_artifact', ...ASK]],
    ['Sr Architect HLD', 20, false, [...READ, 'create_artifact', ...STEER]],
    ['Sr Engineer LLD', 25, false, [...READ, 'create_artifact', ...STEER]],
    ['Planner', 15, false, [...READ, 'create_artifact', ...STEER]],
    ['Design Executor', 40, false, EXECUTOR],
    ['Backend Executor', 40, false, EXECUTOR],
    ['Frontend Executor', 40, false, EXECUTOR],
    ['Testing Executor', 30, false, [...READ, ...RUN, ...BROWSER, ...STEER]],
  ] as const)('IDE-36 %s has %i iterations and its tools', (name, maxIterations, selectable, tools) => {
    const mode = modes.get(name.toUpperCase())!;
    expect(mode).toMatchObject({ name, maxIterations });
    expect(mode.selectable ?? true).toBe(selectable);
    expect(mode.tools).toEqual(tools);
    expect(mode.readOnly ?? false).toBe(name === 'Plan');
    expect(mode.description).not.toBe('');
    expect(mode.icon).toMatch(/^[a-z-]+$/);
    expect(mode.body.length).toBeGreaterThan(50);
  });

  it('IDE-36 are 15, each in a file of its own, and name no tool that there will never be', () => {
    const files = readdirSync(new URL('../../modes/', import.meta.url));
    expect(modes.names()).toHaveLength(15);
    expect(files).toHaveLength(15);
    for (const name of modes.names()) {
      for (const tool of modes.get(name)!.tools ?? []) expect(TOOL_NAMES).toContain(tool);
    }
  });

  it('IDE-36 say what YAML says they say', () => {
    for (const file of readdirSync(new URL('../../modes/', import.meta.url))) {
      const text = readFileSync(new URL(`../../modes/${file}`, import.meta.url), 'utf8');
      const { commands, selectable, ...yaml } = parse(text.split('---\n')[1]!);
      const mode = parseOwnMode(text, file);
      expect(mode).toMatchObject(yaml);
      expect([mode.readOnly, mode.selectable]).toEqual([commands === 'read-only' || undefined, selectable]);
    }
  });

  it('IDE-36 keep their names, and that of the pipeline, to themselves', () => {
    expect(['agent', 'SR ARCHITECT hld', 'Orchestrator'].map((name) => modes.isTaken(name))).toEqual([
      true,
      true,
      true,
    ]);
    expect(modes.isTaken('constructor')).toBe(false);
    expect(modes.get('constructor')).toBeUndefined();
  });
});
