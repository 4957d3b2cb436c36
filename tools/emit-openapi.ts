/** Writes docs/openapi.json from the contract; with --check only says whether it is up to date. */
import { readFileSync } from 'node:fs';
import { allRoutes, buildOpenApi } from '@mneme/contract';
import { writeOrCheck } from './generated-document.ts';

/** The document as it is committed: two spaces, a newline at the end, the contract's own order. */
export const openApiText = (version: string): string =>
  `${JSON.stringify(buildOpenApi(allRoutes, version), null, 2)}\n`;

function main(args: readonly string[]): number {
  const { version } = JSON.parse(
    readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
  ) as { version: string };
  const [path, command] = ['docs/openapi.json', 'npm run openapi'];
  return writeOrCheck({ path, command, text: openApiText(version) }, args);
}

if (import.meta.main) process.exitCode = main(process.argv);
