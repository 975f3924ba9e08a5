/** A message as it is sent: a file that was named with `@` is its path. `known`: the workspace's files and folders. */
export function withoutMentions(text: string, known: readonly string[]): string {
  const paths = new Set(known);
  return text.replace(/(^|[\s(])@(?:"([^"\n]+)"|(\S+))/g, (whole, before: string, quoted?: string, bare?: string) => {
    const path = quoted ?? bare!;
    return paths.has(path) || paths.has(`${path}/`) ? `${before}${path}` : whole;
  });
}
