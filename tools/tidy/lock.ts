import { acceptsInstaller } from './engines.ts';
import { createFinding, type Finding, type SourceFile } from './finding.ts';

export interface LockEntry {
  readonly version?: string;
  readonly dev?: boolean;
  readonly optional?: boolean;
  readonly engines?: { readonly node?: string };
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly [field: string]: unknown;
}

export interface PackageLock {
  readonly packages: Readonly<Record<string, LockEntry>>;
  readonly [field: string]: unknown;
}

const exactVersion = /^\d+\.\d+\.\d+\S*$/;

/** Optional packages that an entry names by exact version and the lock file does not hold. */
export function missingOptionalPackages(lock: PackageLock) {
  const missing = new Map<string, { name: string; version: string; dev: boolean }>();
  for (const [parent, entry] of Object.entries(lock.packages)) {
    for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
      const held =
        `${parent}/node_modules/${name}` in lock.packages ||
        `node_modules/${name}` in lock.packages;
      if (held || !exactVersion.test(version)) continue;
      missing.set(name, { name, version, dev: entry.dev === true });
    }
  }
  return [...missing.values()];
}

/** Whether npm of Node 20 warns of a package, though Node 24 runs it. */
export const causesWarning = ({ engines }: LockEntry): boolean =>
  engines?.node !== undefined && !acceptsInstaller(engines.node);

/**
 * package-lock.json names no registry, and `npm ci` takes it on every platform and without a
 * warning on Node 20, 22 and 24.
 */
export function checkLock(files: readonly SourceFile[]): Finding[] {
  const file = files.find(({ path }) => path === 'package-lock.json');
  if (!file) return [];
  const addresses = file.text
    .split('\n')
    .flatMap((line, i) =>
      line.includes('"resolved": "http')
        ? [createFinding('lock', file.path, i + 1, 'names a registry address')]
        : [],
    );
  const lock = JSON.parse(file.text) as PackageLock;
  const faults = [
    ...missingOptionalPackages(lock).map(({ name }) => `lacks optional ${name}`),
    ...Object.entries(lock.packages)
      .filter(([, entry]) => causesWarning(entry))
      .map(([name]) => `${name} causes a warning on Node 20`),
  ].map((fault) =>
    createFinding('lock', file.path, 1, `${fault}: run node tools/complete-lock.ts`),
  );
  return [...addresses, ...faults];
}
