/** The classic shape in text that does not parse: `f(){ … f … | … & … }`. */
export function looksLikeForkBomb(text: string): boolean {
  const definition = /([^\s(){};|&'"`$<>]{1,64})\s{0,9}\(\s{0,9}\)\s{0,9}\{([^}]{0,200})\}?/g;
  for (const [, name = '', body = ''] of text.matchAll(definition)) {
    if (/[|&]/.test(body) && body.split(/[\s|&;()]+/).includes(name)) return true;
  }
  return /\bfork\b[\s;()]*(while|until)\b[\s(]*(1|true|fork)|while\s*(\(?\s*(1|true)\s*\)?)\s*[:{]?\s*(os\.)?fork\b/i.test(
    text,
  );
}
