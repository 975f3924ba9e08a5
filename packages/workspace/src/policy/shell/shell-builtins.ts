import type { Field } from './facts.ts';
import { formatted } from './known-output.ts';
import { ANY, isGlob, isUnknown, SOME, withoutMarkers } from './markers.ts';
import { type ShellState, UNKNOWN_FOLDER } from './shell-state.ts';

/** What holds after a command that changes the shell itself; undefined for every other command. */
export function changeState(
  words: readonly Field[],
  state: ShellState,
  stdin: readonly string[] | undefined,
): { ok: ShellState; fail: ShellState } | undefined {
  const [name, ...rest] = words;
  switch (name?.value) {
    case 'cd':
    case 'pushd':
      return changeFolder(rest, state, name.value);
    case 'popd':
      return moved(state, state.left.length > 0 ? state.left : [UNKNOWN_FOLDER]);
    case 'read':
      return readInto(rest, state, stdin);
    case 'mapfile':
    case 'readarray':
      return assigned(
        state,
        rest.at(-1)?.value ?? 'MAPFILE',
        stdin?.map((text) => text.trimEnd().split('\n')),
      );
    case 'printf':
      return rest[0]?.value === '-v'
        ? assigned(state, rest[1]?.value ?? '', [[formatted(rest.slice(2).map(({ value }) => withoutMarkers(value)))]])
        : undefined;
    case 'set': {
      const operands = rest.findIndex(({ value }) => value === '--' || !/^[-+]/.test(value));
      if (operands < 0) return undefined;
      const from = rest[operands]?.value === '--' ? operands + 1 : operands;
      state.positional = rest.slice(from).map(({ value }) => withoutMarkers(value));
      return { ok: state, fail: state };
    }
    case 'shift':
      state.positional = state.positional?.slice(Number(rest[0]?.value ?? 1) || 1);
      return { ok: state, fail: state };
    default:
      return undefined;
  }
}

function changeFolder(words: readonly Field[], state: ShellState, name: string): { ok: ShellState; fail: ShellState } {
  const target = words.find(({ value }) => value === '-' || !/^-/.test(value));
  if (!target) {
    const home = state.lookup('HOME').map((value) => value.join(' '));
    return moved(state, name === 'cd' ? home : [UNKNOWN_FOLDER]);
  }
  if (target.value === '-') return moved(state, state.left.length > 0 ? state.left : [UNKNOWN_FOLDER]);
  const folders = state.resolve(target.value).flatMap((path) => {
    // An empty variable leaves `cd` without a target, and that is the home.
    if (path.includes(ANY)) return [UNKNOWN_FOLDER, ...state.resolve(path.replaceAll(ANY, '') || '.')];
    return isUnknown(path) || isGlob(path) || !path.startsWith('/') ? [UNKNOWN_FOLDER] : [path];
  });
  const homeward = new RegExp(`^${ANY}$`).test(target.value)
    ? state.lookup('HOME').map((value) => value.join(' '))
    : [];
  return moved(state, [...new Set([...folders, ...homeward])]);
}

function moved(state: ShellState, folders: readonly string[]): { ok: ShellState; fail: ShellState } {
  const ok = state.clone();
  ok.left = [...new Set([...state.left, ...state.cwds])].slice(-16);
  ok.cwds = folders.slice(0, 16);
  return { ok, fail: state };
}

function readInto(
  words: readonly Field[],
  state: ShellState,
  stdin: readonly string[] | undefined,
): { ok: ShellState; fail: ShellState } {
  const names = words.map(({ value }) => value).filter((value) => /^[A-Za-z_]\w*$/.test(value));
  const lines = stdin?.flatMap((text) => text.trimEnd().split('\n'));
  const variables = names.length > 0 ? names : ['REPLY'];
  // Another separator, a set length, another end of the line, an array: the parts are not those between blanks.
  const plain = !state.isAssigned('IFS') && words.every(({ value }) => value === '-r' || !value.startsWith('-'));
  variables.forEach((name, index) => {
    if (lines && !plain) {
      state.assign(name, [[ANY]]);
      return;
    }
    if (!lines) {
      state.assign(name, [[SOME]]);
      return;
    }
    const last = index === variables.length - 1;
    const parts = lines.map((line) => line.trim().split(/\s+/));
    state.assign(
      name,
      parts.map((part) => [last ? part.slice(index).join(' ') : (part[index] ?? '')]),
    );
  });
  return { ok: state, fail: state };
}

function assigned(
  state: ShellState,
  name: string,
  values: readonly (readonly string[])[] | undefined,
): { ok: ShellState; fail: ShellState } {
  state.assign(name, values ?? [[SOME]]);
  return { ok: state, fail: state };
}
