export { compileGrammar } from './assets/compile-grammar.ts';
export { readAsset, readAssetBytes } from './assets/read-asset.ts';
export { ChangeJournal, type ChangeJournalOptions, recoverChanges } from './changes/change-journal.ts';
export { ChangeSet, type ChangeSetOptions, type CommitOptions, type CommitResult } from './changes/change-set.ts';
export type { ChangeKind, FileChange, ReverseChange } from './changes/file-change.ts';
export type { FileOps } from './changes/file-ops.ts';
export type { FileState } from './changes/file-state.ts';
export type { ChangeBase, ChangeProblem } from './changes/plan-changes.ts';
export type { RecoveredChange } from './changes/recover-changes.ts';
export type { Checkpoint, RestoreReport } from './checkpoints/checkpoint.ts';
export type {
  CheckpointedCommit,
  CheckpointManager,
  CheckpointManagerOptions,
} from './checkpoints/checkpoint-manager.ts';
export { hasUnsettledWork, retractCheckpoint, takeOverCapNews } from './checkpoints/leftovers.ts';
export { openCheckpoints } from './checkpoints/load-checkpoints.ts';
export type { Selection } from './checkpoints/restore/choose-changes.ts';
export type { RestoreOptions, RestoreResult } from './checkpoints/restore/restorer.ts';
export type { CommandChanges, CommandWatch } from './checkpoints/tree/running-commands.ts';
export type { Uncovered } from './checkpoints/tree/tree.ts';
export { isBinaryProgram } from './doctor/binary-program.ts';
export { type DescriptorKind, descriptorKind } from './doctor/descriptor-kind.ts';
export { findLocalProgram, findProgram, type ProgramSearch } from './doctor/find-program.ts';
export { findRipgrep } from './doctor/find-ripgrep.ts';
export { foldersOfProgram, type OwnPackage, packageOfProgram } from './doctor/package-of-program.ts';
export { pathExists } from './doctor/path-exists.ts';
export { type FolderProbe, probeFolder } from './doctor/probe-folder.ts';
export { type ProgramProbe, probeProgram } from './doctor/probe-program.ts';
export { pythonBehindShim, pythonPackage } from './doctor/python-package.ts';
export { DiskDocuments, type DiskDocumentsOptions } from './documents/disk-documents.ts';
export { Document, type DocumentFacts, versionOf } from './documents/document.ts';
export type {
  DocumentStat,
  Documents,
  FileKind,
  FolderEntry,
  ListOutcome,
  ReadOutcome,
  StatOutcome,
} from './documents/documents.ts';
export type { Failure } from './documents/io-errors.ts';
export { type LedgerEntry, ReadLedger } from './documents/read-ledger.ts';
export { readLines } from './documents/read-lines.ts';
export { type SourceFile, SourceReader } from './documents/read-source-file.ts';
export { type HomeProblem, prepareStateHome, temporaryHome } from './home/prepare-state-home.ts';
export { type HomeFacts, stateHome } from './home/state-home.ts';
export { type CheckedImage, checkImage } from './images/check-image.ts';
export { type ImageType, sniffImage } from './images/sniff-image.ts';
export { type HostRule, judgeHost, parseHostRule } from './network/host-rules.ts';
export { isInnerName } from './network/inner-name.ts';
export { isPublicAddress } from './network/public-address.ts';
export { type Address, resolveHost } from './network/resolve-host.ts';
export { homeConfiguration } from './paths/home-configuration.ts';
export { type GrantedFolder, PathGuard, type PathGuardOptions } from './paths/path-guard.ts';
export { noticedPath, protectedPath } from './paths/protected-paths.ts';
export type { PathAccess, PathMark, RefusedPath, ResolvedPath } from './paths/resolved-path.ts';
export { gitPrograms } from './policy/allows/git-programs.ts';
export { linkedOperand, linkTarget } from './policy/allows/linked-operands.ts';
export { isHarmlessAnywhere, isPlainLine } from './policy/allows/plain-line.ts';
export { isSecretPath } from './policy/allows/secret-paths.ts';
export { CommandPolicy, type CommandPolicyOptions } from './policy/command-policy.ts';
export { exactPattern } from './policy/command-text.ts';
export type { CommandContext, CommandDecision, PolicyPart, PolicyStage } from './policy/decision.ts';
export { GrantStore } from './policy/grant-store.ts';
export { isPrefixRule, type PrefixRule, prefixRuleText } from './policy/prefix-rule.ts';
export { ShellParser, type ShellParserFiles } from './policy/shell/shell-parser.ts';
export { type PatternDiagnostic, UserPatterns } from './policy/user-patterns.ts';
export {
  BackgroundCommands,
  type BackgroundCommandsOptions,
  type BackgroundOutput,
} from './processes/background-commands.ts';
export { type CleanEnvironmentOptions, cleanEnvironment } from './processes/clean-environment.ts';
export { Mailbox, type MailboxOptions } from './processes/mailbox.ts';
export { plainText } from './processes/plain-text.ts';
export { ProcessRegistry, type ProcessRegistryOptions } from './processes/process-registry.ts';
export { type CommandResult, type RunCommandOptions, runCommand } from './processes/run-command.ts';
export { type EditorOptions, runEditor } from './processes/run-editor.ts';
export { isSecretVariable } from './processes/secret-names.ts';
export { type ServerEnd, type ServerOptions, ServerProcess } from './processes/server-process.ts';
export type { SpillOptions } from './processes/spill-file.ts';
export { type SweptOrphans, sweepOrphans } from './processes/sweep-orphans.ts';
export { UnreadOutput } from './processes/unread-output.ts';
export { bwrapArguments } from './sandbox/bwrap-arguments.ts';
export type { BlockedHost } from './sandbox/egress-proxy.ts';
export { sweepPrivateFolders } from './sandbox/private-folders.ts';
export { probeSandbox } from './sandbox/probe-sandbox.ts';
export { type ContainOptions, Sandbox, type SandboxOptions } from './sandbox/sandbox.ts';
export { sandboxNotes, tellsReadOnly } from './sandbox/sandbox-notes.ts';
export type { SandboxPolicy, SandboxRule } from './sandbox/sandbox-policy.ts';
export type { SandboxLaunch, SandboxReport } from './sandbox/sandbox-report.ts';
export type { SandboxStatus } from './sandbox/sandbox-status.ts';
export { seatbeltProfile } from './sandbox/seatbelt-profile.ts';
export { FileNews, FileTree } from './scan/file-tree.ts';
export { CLOCK_TICK } from './scan/is-recent.ts';
export { lookAtFile } from './scan/look-at-file.ts';
export { columnsOf, type TreeColumns, treeOf } from './scan/tree-columns.ts';
export type { TreeFolder } from './scan/tree-folder.ts';
export { type ScanOptions, type ScanResult, TreeScan } from './scan/tree-scan.ts';
export { TreeWatch, type TreeWatchOptions } from './scan/tree-watch.ts';
export { type GrepOptions, grep } from './search/grep.ts';
export type { GrepLine, GrepResult } from './search/grep-collector.ts';
export { FolderRules, isIgnoreFile } from './search/ignore-rules.ts';
export {
  type DirectoryListing,
  type ListDirectoryOptions,
  type ListedEntry,
  listDirectory,
} from './search/list-directory.ts';
export { type EntryKind, type WalkEntry, type WalkOptions, walk } from './search/walk.ts';
export { canonicalProvider } from './secrets/canonical-provider.ts';
export { type KeyPlace, KeyStore, type KeyStoreOptions, type StoredKey } from './secrets/key-store.ts';
export type { Keyring } from './secrets/keyring.ts';
export { REDACTED, type RedactOptions, redact, redactValue, secretValues } from './secrets/redact.ts';
export { hasMarks, type MaskedStream, type MaskOptions, SecretMask } from './secrets/secret-mask.ts';
export { readSettings, type SettingsText } from './settings/read-settings.ts';
export { AppendLog, type AppendLogOptions } from './stores/append-log.ts';
export { errnoOf } from './stores/errno.ts';
export { type LockAttempt, ProcessLock } from './stores/process-lock.ts';
export { type ProcessIdentity, ProcessTable } from './stores/process-table.ts';
export { type FileEnds, readFileEnds } from './stores/read-file-ends.ts';
export { readLogLines } from './stores/read-log-lines.ts';
export { readStoreFile } from './stores/read-store-file.ts';
export { realPathOf } from './stores/real-path.ts';
export { readStoreBytes, removeStoreFile, writeStoreParts } from './stores/store-bytes.ts';
export { keepOriginal, listStoreFolder, makeStoreFolder, moveInStore, writeNewFile } from './stores/store-folder.ts';
export { type SweptLeftovers, sweepLeftovers } from './stores/sweep-leftovers.ts';
export { workspaceKey } from './stores/workspace-key.ts';
export { type WriteFileAtomicOptions, writeFileAtomic } from './stores/write-file-atomic.ts';
export { type AppliedEdit, type EditableText, type EditResult, editBytes } from './text/edit-bytes.ts';
export {
  describeRung,
  type EditFailure,
  findTarget,
  type Rung,
  type Target,
  type TargetResult,
} from './text/edit-ladder.ts';
export { codecOf, type DecodedFile, decodeFile, showStrayBytes } from './text/encodings.ts';
export { applyHunks, type Hunk, type HunkResult, makeHunks, reverseHunks } from './text/hunks.ts';
export { type LineEnding, type LineEndings, lineEndings } from './text/line-endings.ts';
export { type MergeConflict, type MergeResult, mergeTexts } from './text/merge-texts.ts';
export { omissionPlaceholder, type Placeholder } from './text/omission-placeholder.ts';
export { parsePatch } from './text/patch/parse-patch.ts';
export type { FilePatch, ParsedPatch, PatchHunk, PatchLine, PatchProblem } from './text/patch/patch.ts';
export { sideOf } from './text/patch/patch.ts';
export { type HunkFailure, type PatchResult, patchBytes } from './text/patch/patch-bytes.ts';
export { type EditPlan, type EditRequest, planEdit, type Replacement } from './text/plan-edit.ts';
export { encodeFile, type TextCodec, type TextFormat, UnencodableError } from './text/text-codec.ts';
export { unifiedDiff } from './text/unified-diff.ts';
export { findConfiguration } from './trust/find-configuration.ts';
export { ownFolders } from './trust/own-folders.ts';
export { safeSearchPath } from './trust/safe-search-path.ts';
export { type TrustedFolder, TrustStore, type TrustStoreOptions } from './trust/trust-store.ts';
export { FolderWatch, type WatchFoldersOptions } from './watch/watch-folders.ts';
