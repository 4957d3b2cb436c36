import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SourceFile } from './finding.ts';

const ignoredPaths = /(?:^|\/)(?:node_modules|\.git|dist|coverage|artifacts)\/|^data\//;

/** All text files of the repository: what git knows or would add; without git, what lies there. */
export function repositoryFiles(root: string): SourceFile[] {
  return listFiles(root).flatMap((path) => {
    const file = join(root, path);
    if (!existsSync(file)) return [];
    const bytes = readFileSync(file);
    return bytes.subarray(0, 8_192).includes(0) ? [] : [{ path, text: bytes.toString('utf8') }];
  });
}

function listFiles(root: string): string[] {
  if (existsSync(join(root, '.git'))) {
    const options = [
      'ls-files',
      '-z',
      '--cached',
      '--others',
      '--exclude-standard',
      '--deduplicate',
    ];
    const out = execFileSync('git', options, { cwd: root, encoding: 'utf8' });
    return out.split('\0').filter((path) => path !== '');
  }
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(root.length + 1)
        .replaceAll('\\', '/'),
    )
    .filter((path) => !ignoredPaths.test(path));
}
