/**
 * Completes package-lock.json for `npm ci` on every platform and on Node 20, 22 and 24.
 *
 * npm writes no entry for an optional package its registry could not give, and `npm ci` then
 * refuses the lock file everywhere. The entry needs no more than the exact version its parent
 * names and the platform its name tells.
 *
 * npm compares `engines` with the Node that installs, and warns. Here Node 24 runs every package,
 * from a package of its own where the system has an older one, so the comparison says nothing.
 *
 * Run after `npm install` when the tidy test says so.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import {
  causesWarning,
  type LockEntry,
  missingOptionalPackages,
  type PackageLock,
} from './tidy/lock.ts';

const platform = /-(android|darwin|freebsd|linux|openharmony|win32)-([a-z0-9]+)(?:-(musl|gnu))?/;

/** The entry npm would write, without the integrity that only the registry knows. */
function makeLockEntry(name: string, version: string, dev: boolean): LockEntry {
  const [, os, cpu, libc] = platform.exec(name) ?? [];
  return {
    version,
    ...(cpu ? { cpu: [cpu] } : {}),
    ...(dev ? { dev: true } : {}),
    ...(libc ? { libc: [libc === 'gnu' ? 'glibc' : 'musl'] } : {}),
    optional: true,
    ...(os ? { os: [os] } : {}),
  };
}

function withoutWarning(entry: LockEntry): LockEntry {
  if (!causesWarning(entry)) return entry;
  const { engines: _, ...rest } = entry;
  return rest;
}

function completeLock(lock: PackageLock): PackageLock {
  const packages = Object.fromEntries(
    Object.entries(lock.packages).map(([name, entry]) => [name, withoutWarning(entry)]),
  );
  for (const { name, version, dev } of missingOptionalPackages(lock)) {
    packages[`node_modules/${name}`] = makeLockEntry(name, version, dev);
  }
  const order = Object.keys(packages).sort((a, b) => (a === b ? 0 : a < b ? -1 : 1));
  return { ...lock, packages: Object.fromEntries(order.map((key) => [key, packages[key] ?? {}])) };
}

if (import.meta.main) {
  const file = new URL('../package-lock.json', import.meta.url);
  const lock = JSON.parse(readFileSync(file, 'utf8')) as PackageLock;
  writeFileSync(file, `${JSON.stringify(completeLock(lock), null, 2)}\n`);
}
