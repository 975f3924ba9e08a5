const UNSEEN = /[\p{Z}\p{C}\p{P}\ufffd]/u;

/**
 * Makes a line's invisible and easily confused characters visible, for showing how two lines differ: tabs as `→`, carriage
 * returns as `␍`, blanks at either end as `·`, every space, dash, quote or control beyond ASCII by its number.
 */
export function showInvisible(line: string): string {
  const body = line.trimStart();
  const indent = line.slice(0, line.length - body.length);
  const solid = body.trimEnd();
  return show(indent, true) + show(solid, false) + show(body.slice(solid.length), true);
}

function show(text: string, atEdge: boolean): string {
  let shown = '';
  for (const character of text) shown += showCharacter(character, atEdge);
  return shown;
}

function showCharacter(character: string, atEdge: boolean): string {
  if (character === '\t') return '→';
  if (character === '\r') return '␍';
  if (character === ' ') return atEdge ? '·' : ' ';
  const point = character.codePointAt(0) ?? 0;
  if (point >= 0x20 && point < 0x7f) return character;
  if (!UNSEEN.test(character)) return character;
  const number = `<U+${point.toString(16).toUpperCase().padStart(4, '0')}>`;
  return /[\p{P}]/u.test(character) ? character + number : number;
}
