/** A tracked file as the rules see it: the path from the root of the repository, and its text. */
export interface SourceFile {
  readonly path: string;
  readonly text: string;
}

/** One place that breaks one rule. */
export interface Finding {
  readonly rule: RuleName;
  readonly path: string;
  readonly line: number;
  readonly message: string;
}

/** Every rule with the place where it is written. */
export const ruleSources = {
  layers: 'STYLE.md, "Who may import whom"',
  vendors: 'STYLE.md, "Who may import whom"',
  sql: 'STYLE.md, "Who may import whom"',
  impure: 'STYLE.md, "One place each"',
  console: 'STYLE.md, "One place each"',
  size: 'STYLE.md, "Size"',
  circles: 'STYLE.md, "Who may import whom"',
  names: 'STYLE.md, "Names"',
  syntax: 'STYLE.md, "Names"',
  tests: 'STYLE.md, "Tests"',
  domains: 'CONTRIBUTING.md, "How a domain looks"',
  contract: 'CONTRIBUTING.md, "How to add a route"',
  migrations: 'CONTRIBUTING.md, "A migration"',
  text: 'CONTRIBUTING.md, "What is committed"',
  lock: 'CONTRIBUTING.md, "What is committed"',
  wording: 'STYLE.md, "Comments and texts"',
} as const;

export type RuleName = keyof typeof ruleSources;

export const createFinding = (
  rule: RuleName,
  path: string,
  line: number,
  message: string,
): Finding => ({
  rule,
  path,
  line,
  message,
});

/** `path:line  rule: what is wrong  (where the rule is written)`. */
export const formatFinding = ({ path, line, rule, message }: Finding): string =>
  `${path}:${line}  ${rule}: ${message}  (${ruleSources[rule]})`;
