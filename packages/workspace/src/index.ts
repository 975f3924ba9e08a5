export { readAsset } from './assets/read-asset.ts';
export { type DescriptorKind, descriptorKind } from './doctor/descriptor-kind.ts';
export { findProgram, type ProgramSearch } from './doctor/find-program.ts';
export { findRipgrep } from './doctor/find-ripgrep.ts';
export { type FolderProbe, probeFolder } from './doctor/probe-folder.ts';
export { type ProgramProbe, probeProgram } from './doctor/probe-program.ts';
export { type HomeProblem, prepareStateHome, temporaryHome } from './home/prepare-state-home.ts';
export { type HomeFacts, stateHome } from './home/state-home.ts';
