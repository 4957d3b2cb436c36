import { createFinding, type Finding, type RuleName } from './finding.ts';

/** A place that may break a rule `most` times, and why. */
export interface Allowance {
  readonly rule: RuleName;
  readonly path: string;
  readonly max: number;
  readonly reason: string;
}

/** The whole list of exceptions. It only gets shorter: an unused allowance is a finding too. */
const allowances: readonly Allowance[] = [];

/** The findings that stay when the allowances are taken off, and allowances that are too wide. */
export function withoutAllowed(
  findings: readonly Finding[],
  list: readonly Allowance[] = allowances,
): Finding[] {
  const covers = ({ rule, path }: Allowance, found: Finding): boolean =>
    rule === found.rule && path === found.path;
  const kept = findings.filter((found) => {
    const allowance = list.find((each) => covers(each, found));
    const alike = allowance && findings.filter((other) => covers(allowance, other)).length;
    return !allowance || (alike ?? 0) > allowance.max;
  });
  const wide = list.flatMap((allowance) => {
    const used = findings.filter((found) => covers(allowance, found)).length;
    const { rule, path, max } = allowance;
    if (used >= max) return [];
    return [
      createFinding(rule, path, 1, `tools/tidy/allowed.ts allows ${max}, only ${used} needed`),
    ];
  });
  return [...kept, ...wide];
}
