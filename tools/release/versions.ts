import type { Manifest } from './published-manifest.ts';

/** `1.2.3`, or `1.2.3-beta.1`. */
const versionPattern = /^(\d+)\.(\d+)\.(\d+)(?:-([\da-z-]+(?:\.[\da-z-]+)*))?$/;

/**
 * Checks that `next` is a version after `current`. Throws with the reason.
 *
 * Compares as Semantic Versioning 2.0.0 §11 does, except that of two pre-releases of one version
 * the later is the greater text with numbers compared as numbers.
 */
export function assertLaterVersion(current: string, next: string): void {
  const [from, to] = [parseVersion(current), parseVersion(next)];
  const order = compareVersions(from, to);
  if (order >= 0) throw new Error(`The version ${next} is not later than ${current}.`);
}

interface Version {
  readonly numbers: readonly number[];
  readonly preRelease: string | null;
}

function parseVersion(text: string): Version {
  const [, major, minor, patch, preRelease = null] = versionPattern.exec(text) ?? [];
  if (major === undefined) throw new Error(`"${text}" is not a version such as 1.2.3.`);
  return { numbers: [major, minor, patch].map(Number), preRelease };
}

function compareVersions(a: Version, b: Version): number {
  for (const [i, number] of a.numbers.entries()) {
    const difference = number - (b.numbers[i] ?? 0);
    if (difference !== 0) return difference;
  }
  if (a.preRelease === b.preRelease) return 0;
  if (a.preRelease === null) return 1;
  if (b.preRelease === null) return -1;
  return a.preRelease.localeCompare(b.preRelease, 'en', { numeric: true });
}

/** A manifest of this version, which requires other packages of the repository in this version. */
export function withVersion(manifest: Manifest, version: string): Manifest {
  const pinned = (dependencies: Readonly<Record<string, string>>) =>
    Object.fromEntries(
      Object.entries(dependencies).map(([name, range]) => [
        name,
        name.startsWith('@mneme/') ? version : range,
      ]),
    );
  const { dependencies, devDependencies, peerDependencies } = manifest;
  return {
    ...manifest,
    version,
    ...(dependencies ? { dependencies: pinned(dependencies) } : {}),
    ...(devDependencies ? { devDependencies: pinned(devDependencies) } : {}),
    ...(peerDependencies ? { peerDependencies: pinned(peerDependencies) } : {}),
  };
}
