/** Writes docs/coverage.md from docs/published/; with --check only says what is wrong. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { table } from '../test/acceptance/errors/table.ts';
import { firstDifference } from './emit-openapi.ts';
import { faultsOf } from './published/check.ts';
import { pageOf } from './published/page.ts';
import { parseArea } from './published/statements.ts';
import { readTitles } from './published/titles.ts';

const folder = new URL('../docs/published/', import.meta.url);
const place = new URL('../docs/coverage.md', import.meta.url);
const root = fileURLToPath(new URL('../', import.meta.url));

const readAreas = () =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.txt'))
    .toSorted()
    .map((name) => parseArea(readFileSync(new URL(name, folder), 'utf8')));

/** The page as it should be. */
export function coverageText(): string {
  return pageOf(readAreas(), table, readFileSync(new URL('broken.md', folder), 'utf8'));
}

/** Everything that is wrong with what the page claims, the page itself left out. */
export const coverageFaults = (): string[] => faultsOf(readAreas(), readTitles(root), table);

/** The first line in which the page differs from what it should be; null where it does not. */
export const staleLine = (fresh: string): number | null =>
  firstDifference(readFileSync(place, 'utf8'), fresh)?.line ?? null;

function main(check: boolean): number {
  const faults = coverageFaults();
  const fresh = coverageText();
  if (!check) writeFileSync(place, fresh);
  const line = staleLine(fresh);
  if (line !== null) faults.push(`docs/coverage.md is stale from line ${line}: npm run coverage`);
  for (const fault of faults) console.error(fault);
  return faults.length > 0 ? 1 : 0;
}

if (import.meta.main) process.exitCode = main(process.argv.includes('--check'));
