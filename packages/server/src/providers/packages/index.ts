import { createRequire } from 'node:module';

/**
 * Whether an optional package is installed, told without loading it.
 * @param from the file beside which, or above, packages are installed
 */
export function isPackageInstalled(name: string, from: string = import.meta.url): boolean {
  try {
    createRequire(from).resolve(name);
    return true;
  } catch (error) {
    // One that can only be imported is found, and refused by another code.
    return (error as NodeJS.ErrnoException).code !== 'MODULE_NOT_FOUND';
  }
}

/** What is told where it is not. */
export const missingPackageMessage = (what: string, name: string): string =>
  `${what} needs the package ${name}: run "npm install ${name}" beside the server`;
