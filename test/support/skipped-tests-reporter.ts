import type { Reporter, Vitest } from 'vitest/node';
import { allRequirements, type Requirement } from './requirements.ts';

export interface TestRun {
  readonly projects: readonly string[];
  /** PostgreSQL is available but not used. */
  readonly skipsPostgres: boolean;
}

/**
 * One line with the tests that a run skips; null if it runs all. `npm test` skips the slow tests,
 * so its line also lists the requirements of these.
 */
export function skippedTestsLine(
  { projects, skipsPostgres }: TestRun,
  requirements: readonly Requirement[] = allRequirements,
): string | null {
  const skipsSlow = projects.includes('api') && !projects.includes('slow');
  const isRelevant = (requirement: Requirement): boolean =>
    requirement.projects.some(
      (project) => projects.includes(project) || (skipsSlow && project === 'slow'),
    );
  const items = requirements
    .filter((requirement) => isRelevant(requirement) && !requirement.isMet())
    .map(({ name, remedy }) => `${name} (${remedy})`);
  const skipped = [...(skipsSlow ? ['slow tests'] : []), ...(skipsPostgres ? ['PostgreSQL'] : [])];
  if (skipped.length > 0) items.unshift(`${skipped.join(' and ')} (npm run test:all)`);
  return items.length === 0 ? null : `Left out: ${items.join(', ')}.`;
}

/** Prints the line after Vitest's summary. */
export class SkippedTestsReporter implements Reporter {
  readonly #skipsPostgres: boolean;
  #projects: readonly string[] = [];

  constructor({ skipsPostgres }: { readonly skipsPostgres: boolean }) {
    this.#skipsPostgres = skipsPostgres;
  }

  onInit(vitest: Vitest): void {
    this.#projects = vitest.projects.map(({ name }) => name);
  }

  onTestRunEnd(): void {
    const run = { projects: this.#projects, skipsPostgres: this.#skipsPostgres };
    const line = skippedTestsLine(run);
    if (line !== null) process.stdout.write(`${line}\n\n`);
  }
}
