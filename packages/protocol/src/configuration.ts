/**
 * Commands about configuration: which modes there are, whether the folder is trusted, and what is wrong with the files
 * that configure us. Part of the union of commands.
 */
import * as z from 'zod';

/** A fault of a configuration file, for a person (IDE-87). */
export interface ConfigProblem {
  /** As a person knows it: from the workspace, below `~/.blackide`, absolute, or a variable's name. */
  file: string;
  /** From 1; 0 where there is no such place. */
  line: number;
  /** From 1, in UTF-16 units. */
  column: number;
  message: string;
  /** What an error stands in does not hold; a warning only tells. */
  severity: 'error' | 'warning';
}

export const configurationCommandSchemas = [
  /** Every mode, and what is wrong with the files of those that somebody wrote. */
  z.object({ type: z.literal('listModes') }),
  /** What is wrong with any file that configures us. */
  z.object({ type: z.literal('listConfigProblems') }),
  /** Whether the opened folder is trusted, and what of it is not read as long as it is not. */
  z.object({ type: z.literal('describeTrust') }),
  /** Puts the question whether the folder is trusted to a person, as a Request of the session. */
  z.object({ type: z.literal('askTrust'), sessionId: z.string().min(1) }),
] as const;

export interface ModeSummary {
  name: string;
  description: string;
  source: 'built-in' | 'global' | 'workspace' | 'project';
  /** Absent for a built-in one. */
  file?: string;
  icon?: string;
  /** `provider/model`. */
  model?: string;
  /** Absent: all. */
  tools?: readonly string[];
  maxIterations: number;
  fileRegex?: string;
  /** Whether a person is offered it; a phase of the pipeline is not. */
  selectable: boolean;
}

/** A file or folder that configures an agent, an editor or a tool. */
export interface FoundConfiguration {
  /** From the workspace; a folder ends with `/`. */
  path: string;
  /** What it is, in a word or two. */
  what: string;
  /** Whether we would read it, were the folder trusted; else only other programs would. */
  ours: boolean;
}

export interface ConfigurationCommandResults {
  listModes: { modes: ModeSummary[]; problems: ConfigProblem[] };
  listConfigProblems: {
    problems: ConfigProblem[];
    /** Why nothing runs without asking until it is mended. */
    closed?: string;
    /** The setting `sandbox` as it holds. */
    sandbox: 'auto' | 'off';
  };
  describeTrust: {
    /** The real path of the folder that was opened. */
    folder: string;
    trusted: boolean;
    /** `stored`: for good; `run`: for this run alone. */
    how: 'stored' | 'run' | 'none';
    /** Why what is stored does not count. */
    problem?: string;
    /** Configuration in a folder that is not trusted, by name alone: none of it was read. Empty where it is trusted. */
    ignored: FoundConfiguration[];
  };
  askTrust: {
    /** Absent: the folder is trusted already. */
    requestId?: string;
  };
}

/** `settings.json:3:5: … .` */
export function problemText({ file, line, column, message }: ConfigProblem): string {
  return `${line > 0 ? `${file}:${line}:${column}` : file}: ${message.replace(/\.$/, '')}.`;
}
