import { createRequire } from 'node:module';

/**
 * Whether an optional package is installed, without loading it.
 * @param from the module from which packages are resolved
 */
export function isPackageInstalled(name: string, from: string = import.meta.url): boolean {
  try {
    createRequire(from).resolve(name);
    return true;
  } catch (error) {
    // A package that can only be imported is found, but fails with another code.
    return (error as NodeJS.ErrnoException).code !== 'MODULE_NOT_FOUND';
  }
}

/** The message for a missing package. */
export const missingPackageMessage = (what: string, name: string): string =>
  `${what} needs the package ${name}: run "npm install ${name}" in the server's folder`;
