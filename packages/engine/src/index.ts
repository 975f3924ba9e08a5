export { createEngine } from './engine.ts';
export type * from './engine-api.ts';
export { serveHost } from './host/serve-host.ts';
export { buildSessionContext, pathOf, type SessionContext } from './session/build-session-context.ts';
export { type Conversation, conversationOf } from './session/conversation.ts';
export type { ReadOnly } from './session/session-log.ts';
export type { SessionManager } from './session/session-manager.ts';
export { SessionStore, type SessionStoreOptions } from './session/session-store.ts';
export type { SessionTreeNode } from './session/session-tree.ts';
