import { hasMarks, type SecretMask } from '@black-ide/workspace';

/** The arguments of a call with what their marks stand for, or why they cannot be used. */
export type RestoredArguments = { ok: true; args: Record<string, unknown> } | { ok: false; message: string };

/**
 * A model that was shown `[redacted:…]` in place of a secret writes the mark back when it edits the file. The secret is
 * put in its place only where that very file holds it: so it never wanders into another one, and a file never gets a
 * mark in place of its secret.
 */
export function restoreSecrets(args: Record<string, unknown>, source: string, mask: SecretMask): RestoredArguments {
  const missing = new Set<string>();
  const visit = (value: unknown): unknown => {
    if (typeof value === 'string') {
      if (!hasMarks(value)) return value;
      const restored = mask.restored(value, source);
      for (const mark of restored.missing) missing.add(mark);
      return restored.text;
    }
    if (Array.isArray(value)) return value.map(visit);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, visit(each)]));
  };
  const restored = visit(args) as Record<string, unknown>;
  if (missing.size === 0) return { ok: true, args: restored };
  const marks = [...missing].join(', ');
  return {
    ok: false,
    message: `Nothing was written: ${marks} stands for a secret that you were not shown and that this file does not hold. Leave the mark out, name a variable instead, or ask the person to put the secret there.`,
  };
}
