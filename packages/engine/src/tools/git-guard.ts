/**
 * A folder that only looks like a repository, made of files that anybody may write, must not have git run programs: bare
 * repositories count only where they are named, no file monitor is started, and nobody looks into the repositories inside
 * of one, whose own filters `git status` would run.
 */
export const GIT_GUARD = {
  GIT_CONFIG_COUNT: '3',
  GIT_CONFIG_KEY_0: 'safe.bareRepository',
  GIT_CONFIG_VALUE_0: 'explicit',
  GIT_CONFIG_KEY_1: 'core.fsmonitor',
  GIT_CONFIG_VALUE_1: 'false',
  GIT_CONFIG_KEY_2: 'diff.ignoreSubmodules',
  GIT_CONFIG_VALUE_2: 'dirty',
};
