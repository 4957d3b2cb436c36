/** Writes docs/coverage.md from docs/published/; with --check only says what is wrong. */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { table } from '../test/acceptance/errors/table.ts';
import { type Committed, writeOrCheck } from './committed.ts';
import { faultsOf } from './published/check.ts';
import { pageOf } from './published/page.ts';
import { parseArea } from './published/statements.ts';
import { readTitles } from './published/titles.ts';

const folder = new URL('../docs/published/', import.meta.url);
const root = fileURLToPath(new URL('../', import.meta.url));

const readAreas = () =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.txt'))
    .toSorted()
    .map((name) => parseArea(readFileSync(new URL(name, folder), 'utf8')));

export const coverageDocument = (): Committed => ({
  path: 'docs/coverage.md',
  command: 'npm run coverage',
  text: pageOf(readAreas(), table, readFileSync(new URL('broken.md', folder), 'utf8')),
});

/** Everything that is wrong with what the page claims, the page itself left out. */
export const coverageFaults = (): string[] => faultsOf(readAreas(), readTitles(root), table);

if (import.meta.main) {
  const faults = coverageFaults();
  for (const fault of faults) console.error(fault);
  const stale = writeOrCheck(coverageDocument(), process.argv);
  process.exitCode = faults.length > 0 ? 1 : stale;
}
