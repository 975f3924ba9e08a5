import type { GitRules } from './git-rules.ts';
import type { ProtectedScan } from './protected-scan.ts';
import type { SandboxRule } from './sandbox-policy.ts';

/** What a workspace looked like before a command: what protects it, and what has to be the same afterwards. */
export interface GuardedState {
  rules: SandboxRule[];
  scan: ProtectedScan;
  /** All folders that were looked at. */
  folders: ReadonlySet<string>;
  git: GitRules;
  /** Links and pointer files: path → what it leads to. */
  leads: Map<string, string>;
  /** Texts of git configurations. */
  configs: Set<string>;
  /** What the person's own configuration names in every repository. */
  relative: readonly string[];
  /** What git takes for hooks or configuration because another one names it, and is there. */
  named: string[];
  /** What it would take, were it there. */
  missing: string[];
  /** What the rules protect: path → place (see `PlaceIdentity`). Where it is another one, a command has made it. */
  places: Map<string, string>;
  /** Numbers of what is mounted: nothing else is different where a folder above it was moved. */
  numbers: Set<string>;
}
