/** Writes artifacts/coverage.md from docs/published/ and reports what is wrong with them. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { table } from '../test/acceptance/errors/table.ts';
import { faultsOf } from './published/check.ts';
import { pageOf } from './published/page.ts';
import { parseArea } from './published/statements.ts';
import { readTitles } from './published/titles.ts';

const folder = new URL('../docs/published/', import.meta.url);
const artifacts = new URL('../artifacts/', import.meta.url);
const root = fileURLToPath(new URL('../', import.meta.url));

const readAreas = () =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.txt'))
    .toSorted()
    .map((name) => parseArea(readFileSync(new URL(name, folder), 'utf8')));

export const coverageText = (): string =>
  pageOf(readAreas(), table, readFileSync(new URL('broken.md', folder), 'utf8'));

/** Everything that is wrong with the statements. */
export const coverageFaults = (): string[] => faultsOf(readAreas(), readTitles(root), table);

if (import.meta.main) {
  const faults = coverageFaults();
  for (const fault of faults) console.error(fault);
  mkdirSync(artifacts, { recursive: true });
  writeFileSync(new URL('coverage.md', artifacts), coverageText());
  console.log('Wrote artifacts/coverage.md.');
  process.exitCode = faults.length > 0 ? 1 : 0;
}
