import { allRoutes, type ErrorCode, errorCodesOf } from '@mneme/contract';
import type { PublishedStatement, StatementArea } from './statements.ts';
import type { TestTitle } from './titles.ts';

type Titles = ReadonlyMap<string, readonly TestTitle[]>;

/** A way to an error that the table of errors provokes. */
export interface ProvokedError {
  readonly code: ErrorCode;
  readonly route: string | null;
}

/** What is wrong with the statements; empty when each is held by tests that there are. */
export function findCoverageProblems(
  areas: readonly StatementArea[],
  titles: Titles,
  provoked: readonly ProvokedError[],
): string[] {
  const statements = areas.flatMap((area) => area.statements);
  return [
    ...statements.flatMap((statement) => findStatementProblems(statement, titles)),
    ...routesWithoutStatement(statements),
    ...codesWithoutErrorCase(provoked),
  ];
}

function findStatementProblems(
  { text, source, routes, tests, reason }: PublishedStatement,
  titles: Titles,
): string[] {
  const ids = new Set(allRoutes.map(({ id }) => id));
  const faults: string[] = [];
  if (source === '') faults.push('names no source');
  if (tests.length === 0 && reason === null) faults.push('is held by no test');
  faults.push(...routes.filter((id) => !ids.has(id)).map((id) => `there is no route ${id}`));
  for (const { path, title } of tests) {
    const found = (titles.get(path) ?? []).filter(
      (test) => test.title === title || ` › ${test.fullTitle}`.endsWith(` › ${title}`),
    );
    if (found.length === 0) faults.push(`there is no test "${title}" in ${path}`);
  }
  return faults.map((fault) => `"${text}": ${fault}`);
}

function routesWithoutStatement(statements: readonly PublishedStatement[]): string[] {
  const named = new Set(statements.flatMap(({ routes }) => routes));
  return allRoutes
    .filter(({ id }) => !named.has(id))
    .map(({ id }) => `no statement names the route ${id}`);
}

/** Every code that a route can answer has a row in the table of errors. */
function codesWithoutErrorCase(provoked: readonly ProvokedError[]): string[] {
  const known = new Set(provoked.map(({ code }) => code));
  const declared = allRoutes.flatMap((route) => [...errorCodesOf(route)]);
  return [...new Set(declared)]
    .filter((code) => !known.has(code))
    .map((code) => `no row of the table of errors provokes ${code}`);
}
