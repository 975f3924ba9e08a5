import type { Language } from '../parsing/language.ts';
import type { Metavariable } from './metavariables.ts';

/** A node of a pattern. `kind` is the grammar's number for the type of a node. */
export type PatternNode =
  | ({ type: 'metavariable' } & Metavariable)
  /** A token; also a node whose text counts as a whole. */
  | { type: 'token'; kind: number; isNamed: boolean; text: string }
  | { type: 'tree'; kind: number; name: string; children: readonly PatternNode[] };

/** A pattern that was read with the grammar of a language. */
export interface StructuralPattern {
  language: Language;
  /** As it was written. */
  source: string;
  /** What the fragment was read as, e.g. `a statement`. */
  place: string;
  /** One node; or several, which are then a run of siblings. */
  nodes: readonly PatternNode[];
  /** Names of its metavariables. */
  names: ReadonlySet<string>;
  /** Words that stand in each file that the pattern can match in. */
  literals: readonly string[];
  /** Finds the longest of its names as it stands between its neighbours; undefined where it has none. */
  name: RegExp | undefined;
  /** See `PatternRules.chain`, as the grammar's numbers. */
  chain: ReadonlySet<number>;
}
