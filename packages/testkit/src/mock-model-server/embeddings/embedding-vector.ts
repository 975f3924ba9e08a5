/** A vector that is alike for texts with the same words, and always the same for a text. */
export function embeddingVector(text: string, width: number): number[] {
  const vector = new Array<number>(width).fill(0);
  for (const word of text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? ['']) {
    for (let i = 0; i < 4; i++) vector[hashOf(`${i}${word}`) % width]! += i % 2 === 0 ? 1 : -1;
  }
  const length = Math.hypot(...vector) || 1;
  return vector.map((value) => Number((value / length).toFixed(8)));
}

/** FNV-1a. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}
