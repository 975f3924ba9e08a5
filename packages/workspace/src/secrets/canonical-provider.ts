/** Names that keys were once kept under, and what they are called today (IDE-66). */
const LEGACY: Readonly<Record<string, string>> = { antropics: 'anthropic' };

/** The one name of a provider: lower case, and today's for a legacy one. */
export function canonicalProvider(name: string): string {
  const lower = name.trim().toLowerCase();
  return Object.hasOwn(LEGACY, lower) ? LEGACY[lower]! : lower;
}
