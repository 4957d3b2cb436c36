import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** What a run on PostgreSQL leaves out where `npm test` has just passed on the embedded engine. */

const root = path.resolve(import.meta.dirname, '../..');

const findFiles = (patterns: readonly string[], isWanted: (text: string) => boolean): string[] =>
  globSync([...patterns], { cwd: root, exclude: ['**/node_modules/**'] }).filter((file) =>
    isWanted(readFileSync(path.join(root, file), 'utf8')),
  );

const hasRequirements = (text: string): boolean => /\bisAvailable\b|\b(?:skip|run)If\b/.test(text);

/**
 * API tests that do not depend on the engine and need no more than `npm test` has, and tests of the
 * embedded engine alone.
 */
export const findOneEngineTestFiles = (): string[] => [
  ...findFiles(
    ['test/acceptance/**/*.test.ts'],
    (text) => /\boneEngine\b/.test(text) && !/\bengines\b/.test(text) && !hasRequirements(text),
  ),
  ...globSync('packages/server/src/database/embedded/*.database.test.ts', { cwd: root }),
];

/** Tests among `patterns` that need what the smaller machine of `npm test` may not have. */
export const findTestFilesWithRequirements = (patterns: readonly string[]): string[] =>
  findFiles(patterns, hasRequirements);
