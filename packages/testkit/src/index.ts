export type { Clock } from './clock/clock.ts';
export { FakeClock } from './clock/fake-clock.ts';
export { systemClock } from './clock/system-clock.ts';
export { type EventSource, lineEvents, serverEvents } from './faults/event-source.ts';
export { type KillAnywhereOptions, type KilledRun, type KillPoints, killAnywhere } from './faults/kill-anywhere.ts';
export { GIF, JPEG, PNG, WEBP } from './images/tiny-images.ts';
export { type LeakCheck, type LeakCheckOptions, leakCheck } from './leaks/leak-check.ts';
export { findProcesses, type ProcessEntry, readProcessTable } from './leaks/process-table.ts';
export {
  createMockModelServer,
  type MockModelServer,
  type MockModelServerOptions,
  type ServerHappening,
  type ServerListener,
} from './mock-model-server/mock-model-server.ts';
export type { ModelImage, ModelMessage, ModelRequest, Wire } from './mock-model-server/model-request.ts';
export type { RecordedRequest } from './mock-model-server/recorded-request.ts';
export {
  type MatchMode,
  parseScript,
  type Script,
  type ScriptBlock,
  type ScriptError,
  type ScriptModel,
  type ScriptObject,
  type ScriptToolCall,
  type ScriptUsage,
  type ScriptWhen,
  type Turn,
  type TurnFunction,
} from './mock-model-server/script.ts';
export { signThinking } from './mock-model-server/sign-thinking.ts';
export { BLACK_BIN, type BlackOptions, blackEnvironment, runBlack, startBlack } from './processes/run-black.ts';
export { type RunOptions, runProcess } from './processes/run-process.ts';
export { type ProcessResult, type RunningProcess, type StartOptions, startProcess } from './processes/start-process.ts';
export { startTerminal, type TerminalOptions, type TmuxTerminal } from './terminal/tmux-terminal.ts';
export {
  createTempWorkspace,
  type FileContent,
  type Snapshot,
  type SnapshotEntry,
  snapshotTree,
  type TempWorkspace,
  type TempWorkspaceOptions,
} from './workspaces/temp-workspace.ts';
