import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const root = path.join(import.meta.dirname, '../..');
const usesRandomness = /from '(fast-check|[./]+\/support\/run-count\.ts)'/;
const neighbours = /from '\.\/([\w-]+\.ts)'/g;

/**
 * The test files whose number of runs depends on the budget, for the project `long`: those that
 * import it, or a file of their folder that does.
 */
export const findPropertyTestFiles = (): string[] =>
  ['packages', 'test/acceptance', 'bench']
    .flatMap((folder) => testFilesBelow(folder))
    .filter((file) => hasBudget(path.join(root, file)));

function hasBudget(file: string): boolean {
  const text = readFileSync(file, 'utf8');
  if (usesRandomness.test(text)) return true;
  return [...text.matchAll(neighbours)].some(([, name = '']) =>
    usesRandomness.test(readFileSync(path.join(path.dirname(file), name), 'utf8')),
  );
}

const testFilesBelow = (folder: string): string[] =>
  readdirSync(path.join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const file = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return entry.name === 'node_modules' ? [] : testFilesBelow(file);
    return entry.name.endsWith('.test.ts') ? [file] : [];
  });
