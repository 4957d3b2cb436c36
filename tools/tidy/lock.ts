import { createFinding, type Finding, type SourceFile } from './finding.ts';

export interface LockEntry {
  readonly version?: string;
  readonly dev?: boolean;
  readonly optional?: boolean;
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

/** package-lock.json names no registry, and `npm ci` takes it on every platform. */
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
  const missing = missingOptionalPackages(JSON.parse(file.text) as PackageLock).map(({ name }) =>
    createFinding('lock', file.path, 1, `lacks optional ${name}: run node tools/complete-lock.ts`),
  );
  return [...addresses, ...missing];
}
