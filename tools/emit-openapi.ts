/** Writes docs/openapi.json from the contract; with --check only says whether it is up to date. */
import { readFileSync, writeFileSync } from 'node:fs';
import { allRoutes, buildOpenApi } from '@mneme/contract';

/** The document as it is committed: two spaces, a newline at the end, the contract's own order. */
export const openApiText = (version: string): string =>
  `${JSON.stringify(buildOpenApi(allRoutes, version), null, 2)}\n`;

/** The first line in which two texts differ, or null where they are the same. */
export function firstDifference(committed: string, fresh: string) {
  if (committed === fresh) return null;
  const [was, is] = [committed.split('\n'), fresh.split('\n')];
  let i = 0;
  while (was[i] === is[i]) i += 1;
  return { line: i + 1, committed: was[i] ?? '(end of file)', fresh: is[i] ?? '(end of file)' };
}

function main(check: boolean): number {
  const place = new URL('../docs/openapi.json', import.meta.url);
  const { version } = JSON.parse(
    readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
  ) as { version: string };
  const fresh = openApiText(version);
  if (!check) {
    writeFileSync(place, fresh);
    return 0;
  }
  const difference = firstDifference(textOf(place), fresh);
  if (difference === null) return 0;
  console.error(
    `docs/openapi.json is stale from line ${difference.line} on: run npm run openapi\n` +
      `- ${difference.committed}\n+ ${difference.fresh}`,
  );
  return 1;
}

/** A file that is not there differs in its first line. */
function textOf(place: URL): string {
  try {
    return readFileSync(place, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw error;
  }
}

if (import.meta.main) process.exitCode = main(process.argv.includes('--check'));
