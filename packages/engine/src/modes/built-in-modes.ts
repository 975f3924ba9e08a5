import { readAsset } from '@black-ide/workspace';
import type { Mode } from './mode.ts';
import { parseOwnMode } from './parse-own-mode.ts';

const FOLDER = new URL('../../modes/', import.meta.url);

/** The built-in modes and their files, in the order in which a person is shown them; phases of the pipeline last. */
const FILES: readonly (readonly [name: string, file: string])[] = [
  ['Ask', 'ask'],
  ['Plan', 'plan'],
  ['Agent', 'agent'],
  ['Frontend', 'frontend'],
  ['Backend', 'backend'],
  ['DevOps', 'devops'],
  ['Manager', 'manager'],
  ['Sr Architect', 'sr-architect'],
  ['Sr Architect HLD', 'sr-architect-hld'],
  ['Sr Engineer LLD', 'sr-engineer-lld'],
  ['Planner', 'planner'],
  ['Design Executor', 'design-executor'],
  ['Backend Executor', 'backend-executor'],
  ['Frontend Executor', 'frontend-executor'],
  ['Testing Executor', 'testing-executor'],
];

/** The picker's entry that forces the pipeline: no mode, but nobody else's name either. */
const RESERVED = 'orchestrator';

/** The modes of the product (IDE-36), each read from its Markdown file at its first use. */
export class BuiltInModes {
  readonly #loaded = new Map<string, Mode>();

  names(): string[] {
    return FILES.map(([name]) => name);
  }

  /** The mode of this name, without regard to case. */
  get(name: string): Mode | undefined {
    const key = name.toLowerCase();
    const known = this.#loaded.get(key);
    if (known) return known;
    const entry = FILES.find(([each]) => each.toLowerCase() === key);
    if (!entry) return undefined;
    const file = `${entry[1]}.md`;
    const mode = parseOwnMode(readAsset(new URL(file, FOLDER)), file);
    this.#loaded.set(key, mode);
    return mode;
  }

  /** Whether nobody else may use this name. */
  isTaken(name: string): boolean {
    const key = name.toLowerCase();
    return key === RESERVED || FILES.some(([each]) => each.toLowerCase() === key);
  }
}
