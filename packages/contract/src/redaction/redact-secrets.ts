import { type SecretKind, secretRules } from './secret-rules.ts';

/** How many secrets of each kind were replaced. */
export type RedactionCounts = Readonly<Partial<Record<SecretKind, number>>>;

/**
 * Replaces each secret by `[redacted: kind]` and counts them. What introduces a secret stays, such
 * as `password=`. Redacting again changes nothing. The time is linear in the length of the text.
 */
export function redactSecrets(text: string): {
  readonly text: string;
  readonly counts: RedactionCounts;
} {
  const counts: Partial<Record<SecretKind, number>> = {};
  let redacted = text;
  for (const { kind, pattern, isSecret = () => true } of secretRules) {
    redacted = redacted.replaceAll(pattern, (match: string, ...rest: unknown[]) => {
      const groups = rest.at(-1) as { before?: string; secret?: string; after?: string };
      const { before = '', secret = '', after = '' } = groups;
      if (!isSecret(secret, before)) return match;
      counts[kind] = (counts[kind] ?? 0) + 1;
      return `${before}[redacted: ${kind}]${after}`;
    });
  }
  return { text: redacted, counts };
}

export function addRedactionCounts(one: RedactionCounts, other: RedactionCounts): RedactionCounts {
  const sum: Partial<Record<SecretKind, number>> = { ...one };
  for (const [kind, count] of Object.entries(other) as [SecretKind, number][]) {
    sum[kind] = (sum[kind] ?? 0) + count;
  }
  return sum;
}
