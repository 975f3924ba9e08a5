import { CODE_SERVERS } from './code-servers.ts';
import type { ServerSpec } from './server-spec.ts';
import { TEXT_SERVERS } from './text-servers.ts';
import { WEB_SERVERS } from './web-servers.ts';

/** Every language server that is known; of those with one role the preferred comes first. */
export const KNOWN_SERVERS: readonly ServerSpec[] = [...WEB_SERVERS, ...CODE_SERVERS, ...TEXT_SERVERS];
