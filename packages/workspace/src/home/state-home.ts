import { readdirSync } from 'node:fs';
import { homedir, userInfo } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';

/** The name of the state folder below a home, as it is made anew. */
const NAME = '.blackide';

export interface HomeFacts {
  env: Readonly<Record<string, string | undefined>>;
  /** Against which a relative `BLACKIDE_HOME` counts. */
  cwd: string;
  platform?: NodeJS.Platform;
}

/**
 * The user's state folder: `BLACKIDE_HOME` where it is set, else `~/.blackide`, else one below the home that differs in
 * case only. Undefined when there is no home at all. Nothing is created.
 */
export function stateHome(facts: HomeFacts): string | undefined {
  const set = facts.env.BLACKIDE_HOME;
  const home = userHome(facts);
  if (set) {
    const tail = /^~(?:[/\\](.*))?$/.exec(set);
    return tail && home ? join(home, tail[1] ?? '') : resolve(facts.cwd, set);
  }
  return home ? join(home, existingName(home) ?? NAME) : undefined;
}

/** The user's home folder: `HOME` where it is an absolute path, else what the system's user list says. */
export function userHome({ env, platform = process.platform }: HomeFacts): string | undefined {
  if (platform === 'win32') return env.USERPROFILE || homedir();
  if (env.HOME && isAbsolute(env.HOME)) return env.HOME;
  return listedHome();
}

function listedHome(): string | undefined {
  try {
    const { homedir: listed } = userInfo();
    return isAbsolute(listed) ? listed : undefined;
  } catch {
    // The user's number is in no list, as in many containers: then there is no home.
    return undefined;
  }
}

function existingName(home: string): string | undefined {
  const alike = namesIn(home).filter((name) => name.toLowerCase() === NAME);
  return alike.includes(NAME) ? NAME : alike[0];
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    // An unreadable home holds nothing that could be found; making the folder will tell why.
    return [];
  }
}
