import type { AccountSettings, SenderRule } from '@mneme/contract';
import { canonicalAddress } from '../../../providers/mail/index.ts';
import type { SenderRuleRecord } from './store/sender-rules.ts';

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
  user_id: row.user_id,
  agent_id: row.agent_id,
  run_id: row.run_id,
  createdAt: row.created_at.toISOString(),
});

/**
 * The most specific matching rule applies: a pattern without wildcards, then the one with more
 * literal characters; block wins a tie. A sender without a rule is rejected if any allow rule
 * exists or the account rejects unknown senders. A pattern may have the domain in Unicode or in
 * ASCII form.
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
  const requiresAllowRule =
    unknown === 'reject' || rules.some(({ rule_type }) => rule_type === 'allow');
  return {
    allowed: !requiresAllowRule,
    reason: requiresAllowRule ? 'No rule allows this sender.' : null,
    rule: null,
  };
}

const exactMatchWeight = 1_000_000;

function specificityOf({ pattern, rule_type }: Rule): number {
  const literalCharacters = pattern.replaceAll('*', '').length;
  const exact = pattern.includes('*') ? 0 : exactMatchWeight;
  return (exact + literalCharacters) * 2 + (rule_type === 'block' ? 1 : 0);
}

/** `*` matches any characters, also none. Ignores case. Linear in both lengths. */
export function matchesPattern(pattern: string, address: string): boolean {
  const text = address.toLowerCase();
  const [first = '', ...rest] = pattern.toLowerCase().split('*');
  const last = rest.pop();
  if (last === undefined) return text === first;
  if (text.length < first.length + last.length) return false;
  if (!text.startsWith(first) || !text.endsWith(last)) return false;
  const end = text.length - last.length;
  let at = first.length;
  for (const literal of rest) {
    if (literal === '') continue;
    const index = findSubstring(text, literal, at, end);
    if (index < 0) return false;
    at = index + literal.length;
  }
  return true;
}

/** Knuth, Morris, Pratt: `indexOf` may need time proportional to the product of the lengths. */
function findSubstring(text: string, literal: string, from: number, to: number): number {
  const fallback = new Int32Array(literal.length);
  for (let i = 1, matched = 0; i < literal.length; i += 1) {
    while (matched > 0 && literal[i] !== literal[matched]) matched = fallback[matched - 1] ?? 0;
    if (literal[i] === literal[matched]) matched += 1;
    fallback[i] = matched;
  }
  for (let i = from, matched = 0; i < to; i += 1) {
    while (matched > 0 && text[i] !== literal[matched]) matched = fallback[matched - 1] ?? 0;
    if (text[i] === literal[matched]) matched += 1;
    if (matched === literal.length) return i - literal.length + 1;
  }
  return -1;
}
