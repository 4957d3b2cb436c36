import type { AccountSettings, SenderRule } from '@mneme/contract';
import { canonicalAddress } from '../../../providers/mail/index.ts';
import type { SenderRuleRecord } from './store.ts';

type Rule = Pick<SenderRuleRecord, 'pattern' | 'rule_type' | 'reason'>;

export interface SenderDecision<R extends Rule> {
  readonly allowed: boolean;
  readonly reason: string | null;
  readonly rule: R | null;
}

export const presentSenderRule = (row: SenderRuleRecord): SenderRule => ({
  id: row.id,
  emailPattern: row.pattern,
  ruleType: row.rule_type,
  reason: row.reason,
  createdAt: row.created_at.toISOString(),
});

/**
 * Of the rules that match, the most specific holds: one without a wildcard before all others, then
 * the one that spells out more. Of equals block wins. Whom none matches is refused where there is
 * any rule that allows, or the account wants no unknown senders. A pattern may spell the domain in
 * Unicode or as in the DNS.
 */
export function evaluateSender<R extends Rule>(
  rules: readonly R[],
  address: string,
  unknown: AccountSettings['email']['accept_unknown'] = 'store',
): SenderDecision<R> {
  const forms = new Set([address, canonicalAddress(address) ?? address]);
  const matching = rules.filter(({ pattern }) =>
    [...forms].some((form) => matchesPattern(pattern, form)),
  );
  const [rule] = matching.toSorted((a, b) => specificityOf(b) - specificityOf(a));
  if (rule) return { allowed: rule.rule_type === 'allow', reason: rule.reason, rule };
  const onlyAllowed = unknown === 'reject' || rules.some(({ rule_type }) => rule_type === 'allow');
  return {
    allowed: !onlyAllowed,
    reason: onlyAllowed ? 'No rule allows this sender.' : null,
    rule: null,
  };
}

const exactMatchWeight = 1_000_000;

function specificityOf({ pattern, rule_type }: Rule): number {
  const spelled = pattern.replaceAll('*', '').length;
  const exact = pattern.includes('*') ? 0 : exactMatchWeight;
  return (exact + spelled) * 2 + (rule_type === 'block' ? 1 : 0);
}

/** `*` stands for any characters, none included. Case is not told apart. Linear in both lengths. */
export function matchesPattern(pattern: string, address: string): boolean {
  const text = address.toLowerCase();
  const [first = '', ...rest] = pattern.toLowerCase().split('*');
  const last = rest.pop();
  if (last === undefined) return text === first;
  if (text.length < first.length + last.length) return false;
  if (!text.startsWith(first) || !text.endsWith(last)) return false;
  const end = text.length - last.length;
  let at = first.length;
  for (const piece of rest) {
    if (piece === '') continue;
    const found = findSubstring(text, piece, at, end);
    if (found < 0) return false;
    at = found + piece.length;
  }
  return true;
}

/** Knuth, Morris, Pratt: `indexOf` may take the product of both lengths. */
function findSubstring(text: string, piece: string, from: number, to: number): number {
  const fallback = new Int32Array(piece.length);
  for (let i = 1, matched = 0; i < piece.length; i += 1) {
    while (matched > 0 && piece[i] !== piece[matched]) matched = fallback[matched - 1] ?? 0;
    if (piece[i] === piece[matched]) matched += 1;
    fallback[i] = matched;
  }
  for (let i = from, matched = 0; i < to; i += 1) {
    while (matched > 0 && text[i] !== piece[matched]) matched = fallback[matched - 1] ?? 0;
    if (text[i] === piece[matched]) matched += 1;
    if (matched === piece.length) return i - piece.length + 1;
  }
  return -1;
}
