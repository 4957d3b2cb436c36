/** Writes artifacts/coverage.md from docs/published/ and reports what is wrong with them. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { errorCases } from '../test/acceptance/errors/error-cases.ts';
import { findCoverageProblems } from './published/coverage-check.ts';
import { renderCoveragePage } from './published/coverage-page.ts';
import { parseStatementArea } from './published/statements.ts';
import { readTitles } from './published/titles.ts';

const folder = new URL('../docs/published/', import.meta.url);
const artifacts = new URL('../artifacts/', import.meta.url);
const root = fileURLToPath(new URL('../', import.meta.url));

const readAreas = () =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.txt'))
    .toSorted()
    .map((name) => parseStatementArea(readFileSync(new URL(name, folder), 'utf8')));

export const coverageText = (): string =>
  renderCoveragePage(readAreas(), errorCases, readFileSync(new URL('broken.md', folder), 'utf8'));

/** Everything that is wrong with the statements. */
export const coverageProblems = (): string[] =>
  findCoverageProblems(readAreas(), readTitles(root), errorCases);

if (import.meta.main) {
  const faults = coverageProblems();
  for (const fault of faults) console.error(fault);
  mkdirSync(artifacts, { recursive: true });
  writeFileSync(new URL('coverage.md', artifacts), coverageText());
  console.log('Wrote artifacts/coverage.md.');
  process.exitCode = faults.length > 0 ? 1 : 0;
}
