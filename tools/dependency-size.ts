/**
 * Prints the size of what an installation without development tools needs, as
 * `npm ci --omit=dev --omit=peer --omit=optional` installs it: `node tools/dependency-size.ts`.
 */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

interface LockedPackage {
  readonly dev?: boolean;
  readonly optional?: boolean;
  readonly devOptional?: boolean;
  readonly peer?: boolean;
  readonly link?: boolean;
}

export interface PackageSize {
  readonly path: string;
  readonly bytes: number;
}

/** The installed packages that production needs, the largest first. */
export function measureDependencies(): PackageSize[] {
  const { packages } = JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, LockedPackage>;
  };
  return Object.entries(packages)
    .filter(([folder, one]) => folder.includes('node_modules/') && isProduction(one))
    .filter(([folder]) => existsSync(path.join(root, folder)))
    .map(([folder]) => ({ path: folder, bytes: bytesOf(path.join(root, folder)) }))
    .toSorted((a, b) => b.bytes - a.bytes);
}

const isProduction = ({ dev, optional, devOptional, peer, link }: LockedPackage): boolean =>
  !(dev || optional || devOptional || peer || link);

/**
 * As `du --apparent-size` counts, with the folders themselves; without the packages inside, which
 * the lock lists on their own.
 */
function bytesOf(folder: string): number {
  const parts = readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => name !== 'node_modules')
    .map((entry) => {
      const file = path.join(folder, entry.name);
      return entry.isDirectory() ? bytesOf(file) : statSync(file).size;
    });
  return parts.reduce((sum, bytes) => sum + bytes, statSync(folder).size);
}

export const toMegabytes = (sizes: readonly PackageSize[]): number =>
  sizes.reduce((sum, { bytes }) => sum + bytes, 0) / 2 ** 20;

if (import.meta.main) {
  const sizes = measureDependencies();
  for (const one of sizes.slice(0, 20)) {
    process.stdout.write(`${(one.bytes / 2 ** 20).toFixed(1).padStart(6)} MB  ${one.path}\n`);
  }
  process.stdout.write(`${toMegabytes(sizes).toFixed(1)} MB, ${sizes.length} packages\n`);
}
