/**
 * The condition of a breakpoint that logs and never stops: what stands in braces is evaluated where the program is. An
 * expression that fails is logged as its failure.
 * @param binding the name of the function that takes the text
 */
export function logCondition(message: string, binding: string): string {
  const parts = message.split(/\{([^{}]*)\}/).map((part, at) => {
    return at % 2 === 0 ? JSON.stringify(part) : `$text(() => (${part}\n))`;
  });
  const text = `const $text = (value) => {
    try {
      const got = value();
      return typeof got === 'object' && got !== null && !(got instanceof Error) ? JSON.stringify(got) : String(got);
    } catch (error) { return '{' + String(error) + '}'; }
  };`;
  return `(() => { ${text} globalThis[${JSON.stringify(binding)}]([${parts.join(', ')}].join('').slice(0, 10000)); })(), false`;
}
