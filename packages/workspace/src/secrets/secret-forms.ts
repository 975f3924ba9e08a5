/** Shorter values would take other words along. */
export const SHORTEST_SECRET = 8;

/**
 * Every form in which a value may stand in a text: itself, escaped for an address or for JSON, in hex, and within what
 * is encoded in base64, where it reads differently by how many bytes come before it. Longest first.
 */
export function secretForms(value: string): string[] {
  const bytes = Buffer.from(value, 'utf8');
  const encoded = encodeURIComponent(value);
  const forms = [
    value,
    encoded,
    encoded.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()),
    JSON.stringify(value).slice(1, -1),
    bytes.toString('hex'),
    bytes.toString('hex').toUpperCase(),
    ...[0, 1, 2].flatMap((before) => base64Within(bytes, before)),
  ];
  return [...new Set(forms)].filter((form) => form.length >= SHORTEST_SECRET).sort((a, b) => b.length - a.length);
}

/** What is sure to stand in the base64 of any text that has these bytes behind `before` others (modulo three). */
function base64Within(bytes: Buffer, before: number): string[] {
  const whole = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64');
  const from = Math.ceil((before * 8) / 6);
  const to = Math.floor(((before + bytes.length) * 8) / 6);
  const certain = whole.slice(from, to);
  return [certain, certain.replaceAll('+', '-').replaceAll('/', '_')];
}
