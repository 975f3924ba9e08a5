const SIMPLE: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  e: '\x1b',
  E: '\x1b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
};

const ESCAPE = /\\(x[0-9A-Fa-f]{1,2}|u[0-9A-Fa-f]{1,4}|U[0-9A-Fa-f]{1,8}|0?[0-7]{1,3}|c[\s\S]|[\s\S])/g;

/** Resolves the backslash escapes of `$'…'`, of `echo -e` and of a `printf` format (bash manual, "ANSI-C Quoting"). */
export function decodeAnsiC(text: string): string {
  return text.replace(ESCAPE, (_whole, body: string) => {
    const kind = body[0] as string;
    if (/[xuU]/.test(kind) && body.length > 1) return fromCode(Number.parseInt(body.slice(1), 16));
    if (/[0-7]/.test(kind)) return fromCode(Number.parseInt(body, 8) & 0xff);
    if (kind === 'c' && body.length > 1) return fromCode((body.codePointAt(1) as number) & 0x1f);
    return SIMPLE[kind] ?? body;
  });
}

function fromCode(code: number): string {
  return code <= 0x10ffff ? String.fromCodePoint(code) : '';
}
