import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { basename, join } from 'node:path';

/** Makes a folder with a commit's files, in which `@mneme/*` leads to the folder's packages. */
export function checkOutCommit(root: string, commit: string, copy: string): void {
  rmSync(copy, { recursive: true, force: true });
  mkdirSync(copy, { recursive: true });
  const index = join(copy, '.index');
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: root, env: { ...process.env, GIT_INDEX_FILE: index } });
  git('read-tree', commit);
  git('checkout-index', '--all', `--prefix=${copy}/`);
  rmSync(index);
  linkModules(root, copy);
  for (const name of readdirSync(join(copy, 'packages'))) {
    const own = join(root, 'packages', name, 'node_modules');
    if (existsSync(own)) symlinkSync(own, join(copy, 'packages', name, 'node_modules'));
  }
  addInstrumentation(root, copy);
}

/** Links to each dependency; caches stay behind. */
function linkModules(root: string, copy: string): void {
  const [from, to] = [join(root, 'node_modules'), join(copy, 'node_modules')];
  mkdirSync(join(to, '@mneme'), { recursive: true });
  for (const name of readdirSync(from)) {
    const isCache = name.startsWith('.') && name !== '.bin';
    if (name !== '@mneme' && !isCache) symlinkSync(join(from, name), join(to, name));
  }
  for (const name of readdirSync(join(copy, 'packages'))) {
    symlinkSync(`../../packages/${name}`, join(to, '@mneme', name));
  }
}

/** The commit may be older than they are. */
function addInstrumentation(root: string, copy: string): void {
  const folder = 'tools/mutations';
  for (const part of ['control.ts', 'instrumented']) {
    cpSync(join(root, folder, part), join(copy, folder, basename(part)), { recursive: true });
  }
}
