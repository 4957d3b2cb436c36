import { posix } from 'node:path';
import type { SourceFile } from '../tidy/finding.ts';
import { isTest } from '../tidy/source.ts';

const root = 'packages/server/src/';
const entry = `${root}main.ts`;
/** Imports, and the scripts of threads and processes that are named by a relative path. */
const relativePath = /['"](\.{1,2}\/[^'"\n]+\.ts)['"]/g;

/** The files that the server is made of: all that main.ts leads to, without what tests use. */
export function serverSources(files: readonly SourceFile[]): SourceFile[] {
  const byPath = new Map(files.map((file) => [file.path, file]));
  const reached = new Set([entry]);
  for (const path of reached) {
    for (const [, named = ''] of byPath.get(path)?.text.matchAll(relativePath) ?? []) {
      const target = posix.join(posix.dirname(path), named);
      if (target.startsWith(root) && !isTest(target) && byPath.has(target)) reached.add(target);
    }
  }
  return files.filter(({ path }) => reached.has(path) && !path.endsWith('.d.ts'));
}

/** A domain, or a folder below src, such as `http`; `server` for the files directly in src. */
export function areaOfPath(path: string): string {
  const [first = '', second = '', third] = path.slice(root.length).split('/');
  if (second === '') return 'server';
  return first === 'domains' && third !== undefined ? second : first;
}
