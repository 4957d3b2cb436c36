import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '../..');

/** API tests that do not depend on the engine: a run on PostgreSQL only has none of them. */
export const findOneEngineTestFiles = (): string[] =>
  globSync('test/acceptance/**/*.test.ts', { cwd: root }).filter((file) => {
    const text = readFileSync(path.join(root, file), 'utf8');
    return /\boneEngine\b/.test(text) && !/\bengines\b/.test(text);
  });
