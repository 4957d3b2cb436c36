import type { SourceFile } from '../tidy/finding.ts';
import { isTestFile, resolveImport } from '../tidy/source.ts';

const root = 'packages/server/src/';
const entry = `${root}main.ts`;
/** Packages whose code is mutated. */
const packageRoot = /^packages\/(server|clustering|extraction|text)\/src\//;
/** Imports, and the scripts of threads and processes that are named by a relative path. */
const ownModule = /['"](\.{1,2}\/[^'"\n]+\.ts|@mneme\/[a-z]+)['"]/g;

/** The files that the server is made of: all that main.ts leads to, without what tests use. */
export function serverSources(files: readonly SourceFile[]): SourceFile[] {
  const byPath = new Map(files.map((file) => [file.path, file]));
  const reached = new Set([entry]);
  for (const path of reached) {
    for (const [, named = ''] of byPath.get(path)?.text.matchAll(ownModule) ?? []) {
      const target = resolveImport(path, named) ?? '';
      if (packageRoot.test(target) && !isTestFile(target) && byPath.has(target))
        reached.add(target);
    }
  }
  return files.filter(({ path }) => reached.has(path) && !path.endsWith('.d.ts'));
}

/**
 * A domain, or a folder below the server's src, such as `http`; `server` for the files directly in
 * src; the package if it is another one.
 */
export function areaOfPath(path: string): string {
  const packageName = packageRoot.exec(path)?.[1];
  if (packageName !== undefined && packageName !== 'server') return packageName;
  const [first = '', second = '', third] = path.slice(root.length).split('/');
  if (second === '') return 'server';
  return first === 'domains' && third !== undefined ? second : first;
}
