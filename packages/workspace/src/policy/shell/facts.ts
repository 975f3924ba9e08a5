/** One word of a command as the program would get it. */
export interface Field {
  /** Its text; active glob characters and unknown parts are markers. */
  readonly value: string;
  /** As it is written on the line. */
  readonly source: string;
  /** Nothing in it had to be expanded: no variable, substitution, glob, brace or tilde. */
  readonly literal: boolean;
}

/** How far a wrapper such as `timeout` or `sudo` may be looked through. */
export type WrapperKind =
  /** It runs its command as if that stood alone. */
  | 'transparent'
  /** It changes for whom, where or with what the command runs. */
  | 'opaque';

/** A simple command the line may run. */
export interface CommandFact {
  readonly kind: 'command';
  /** Name and arguments; never empty. */
  readonly words: readonly Field[];
  /** Assignments before the name. */
  readonly assignments: readonly AssignedVariable[];
  readonly cwds: readonly string[];
  readonly source: string;
  /** Set when the command runs another one, which is a fact of its own. */
  readonly wrapper: WrapperKind | undefined;
  /** It gets every file below its operands, as from `find … -exec`. */
  readonly sweeping: boolean;
  /** It gets further operands that are not known, as from `xargs`. */
  readonly moreOperands: boolean;
  /** Not certain to be run: some words of another command that would be harmful if they were. */
  readonly speculative: boolean;
}

export interface AssignedVariable {
  readonly name: string;
  readonly values: readonly string[];
}

/** Variables set for the rest of the line. */
export interface AssignmentFact {
  readonly kind: 'assignment';
  readonly assigned: AssignedVariable;
  readonly source: string;
}

export interface RedirectFact {
  readonly kind: 'redirect';
  /** `>`, `>>`, `<`, `&>`, `<<<`, … */
  readonly operator: string;
  /** Possible targets; a descriptor's number or `-` after `>&` and `<&`. */
  readonly targets: readonly Field[];
  readonly cwds: readonly string[];
  readonly source: string;
}

/** Something that cannot be shown to be harmless, whatever the commands are. */
export interface ConstructFact {
  readonly kind: 'construct';
  /** What it is, for a person. */
  readonly what: string;
  readonly source: string;
}

/** Text that another interpreter will run (`python -c`, `awk`). */
export interface ForeignCodeFact {
  readonly kind: 'code';
  readonly code: string;
  readonly cwds: readonly string[];
  readonly source: string;
}

/** A shell script, given as text, that cannot be parsed. */
export interface UnreadableScriptFact {
  readonly kind: 'unreadable';
  readonly script: string;
  readonly cwds: readonly string[];
  readonly source: string;
}

/** A function that multiplies itself without end. */
export interface ForkBombFact {
  readonly kind: 'fork-bomb';
  readonly source: string;
}

export type Fact =
  | CommandFact
  | AssignmentFact
  | RedirectFact
  | ConstructFact
  | ForeignCodeFact
  | UnreadableScriptFact
  | ForkBombFact;
