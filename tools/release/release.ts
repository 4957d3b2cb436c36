/**
 * `npm run release -- 0.2.0`: gives all packages one version, closes the section of the changelog,
 * generates what contains the version, builds and packs the packages, commits and tags. Publishes
 * nothing: the last lines say how. With --dry-run it only checks and says what it would do.
 */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { buildPackages, packPackages } from './build-packages.ts';
import { releaseChangelog } from './changelog.ts';
import type { Manifest } from './published-manifest.ts';
import { assertLaterVersion, withVersion } from './versions.ts';

const readJson = <T>(file: string): T => JSON.parse(readFileSync(file, 'utf8')) as T;

export interface Release {
  readonly version: string;
  /** As YYYY-MM-DD. */
  readonly date: string;
}

/** The new text of each file that contains the version, by its path in the repository. */
export function releaseFiles(root: string, { version, date }: Release): Map<string, string> {
  const manifests = ['package.json', ...packageFolders(root).map((one) => `${one}/package.json`)];
  const current = readJson<Manifest>(path.join(root, 'package.json')).version;
  assertLaterVersion(current, version);
  const files = new Map<string, string>();
  const put = (file: string, value: unknown) =>
    files.set(file, `${JSON.stringify(value, null, 2)}\n`);
  for (const file of manifests) {
    put(file, withVersion(readJson<Manifest>(path.join(root, file)), version));
  }
  const lock = readJson<{ packages: Record<string, Manifest> }>(
    path.join(root, 'package-lock.json'),
  );
  const packages = Object.entries(lock.packages).map(([name, entry]) =>
    name === '' || /^packages\/[^/]+$/.test(name)
      ? [name, withVersion(entry, version)]
      : [name, entry],
  );
  put('package-lock.json', { ...lock, version, packages: Object.fromEntries(packages) });
  const changelog = readFileSync(path.join(root, 'CHANGELOG.md'), 'utf8');
  files.set('CHANGELOG.md', releaseChangelog(changelog, version, date));
  return files;
}

const packageFolders = (root: string): string[] =>
  readdirSync(path.join(root, 'packages')).map((name) => `packages/${name}`);

function assertClean(root: string): void {
  const changed = execFileSync('git', ['status', '--porcelain'], { cwd: root, encoding: 'utf8' });
  if (changed !== '') throw new Error(`Commit or remove these changes first:\n${changed}`);
}

async function main(args: readonly string[]): Promise<void> {
  const root = fileURLToPath(new URL('../../', import.meta.url));
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { 'dry-run': { type: 'boolean', default: false } },
  });
  const [version, ...others] = positionals;
  if (version === undefined || others.length > 0) {
    throw new Error('Usage: npm run release -- <version> [--dry-run]');
  }
  assertClean(root);
  const date = new Date().toISOString().slice(0, 10);
  const files = releaseFiles(root, { version, date });
  if (values['dry-run']) {
    console.log([`Would change for ${version}:`, ...files.keys()].join('\n  '));
    return;
  }
  for (const [file, text] of files) writeFileSync(path.join(root, file), text);
  const git = (...parameters: string[]) => execFileSync('git', parameters, { cwd: root });
  for (const script of ['openapi', 'sdk']) {
    execFileSync('npm', ['run', '--silent', script], { cwd: root, stdio: 'inherit' });
  }
  const target = path.join(root, 'artifacts/packages');
  const tarballs = packPackages(await buildPackages(target), target);
  git('commit', '--all', '--message', `Release ${version}`);
  git('tag', '--annotate', `v${version}`, '--message', `Version ${version}`);
  const relative = tarballs.map((file) => path.relative(root, file));
  console.log(`Version ${version} is committed and tagged. To publish it:`);
  console.log('  git push --follow-tags');
  for (const file of relative) console.log(`  npm publish ${file}`);
}

if (import.meta.main) {
  try {
    await main(process.argv.slice(2));
  } catch (error) {
    console.error((error as Error).message);
    process.exitCode = 1;
  }
}
