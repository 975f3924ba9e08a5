// biome-ignore-all lint/suspicious/noControlCharactersInRegex: they are what this is about

/**
 * What a person would see of terminal output, as plain text: escape sequences and control characters are gone, a
 * progress line that rewrites itself (carriage return, backspace) shows its last state, line ends are `\n`.
 * Escape sequences: ECMA-48; `OSC`, `DCS`, `SOS`, `PM` and `APC` end with BEL or ST, and an unfinished one ends with its line.
 */
export function plainText(output: string): string {
  const text = output
    .replaceAll(STRINGS, '')
    .replaceAll(SEQUENCES, '')
    .replaceAll(/(?<!\r)\r+\n/g, '\n');
  return (/[\r\b]/.test(text) ? text.split('\n').map(lastState).join('\n') : text).replaceAll(CONTROLS, '');
}

/** Device control and title strings; their text is not for the screen. */
const STRINGS =
  /(?:\u001b[\]PX^_]|[\u009d\u0090\u0098\u009e\u009f])[^\u0007\u001b\u009c\n]*(?:\u0007|\u001b\\|\u009c)?/g;
/** Control sequences (colours, cursor), then the two- and three-character escapes. */
const SEQUENCES = /(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]?|\u001b[ -/]*[0-~]?/g;
/** All others but tab and newline. */
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

function lastState(line: string): string {
  const states = line.split('\r');
  const last = states.findLast((state) => state.trim() !== '') ?? '';
  if (!last.includes('\b')) return last;
  const shown: string[] = [];
  for (const character of last) {
    if (character === '\b') shown.pop();
    else shown.push(character);
  }
  return shown.join('');
}
