import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const root = path.join(import.meta.dirname, '../..');
const usesRandomness = /from '(fast-check|[./]+\/support\/run-count\.ts)'/;

/** The test files whose number of runs depends on the budget, for the project `long`. */
export const findPropertyTestFiles = (): string[] =>
  ['packages', 'test/acceptance', 'bench']
    .flatMap((folder) => testFilesBelow(folder))
    .filter((file) => usesRandomness.test(readFileSync(path.join(root, file), 'utf8')));

const testFilesBelow = (folder: string): string[] =>
  readdirSync(path.join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const file = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return entry.name === 'node_modules' ? [] : testFilesBelow(file);
    return entry.name.endsWith('.test.ts') ? [file] : [];
  });
