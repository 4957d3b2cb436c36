import type { Reporter, Vitest } from 'vitest/node';
import { allRequirements, type Requirement } from './requirements.ts';

export interface TestRun {
  /** The names of its projects. */
  readonly projects: readonly string[];
  /** It has a PostgreSQL and does not use it. */
  readonly skipsPostgres: boolean;
}

/**
 * What a run leaves out, in one line; null where it runs everything. `npm test` leaves the slow
 * tests to another command, so its line also lists what that command needs.
 */
export function skippedTestsLine(
  { projects, skipsPostgres }: TestRun,
  requirements: readonly Requirement[] = allRequirements,
): string | null {
  const leavesSlow = projects.includes('api') && !projects.includes('slow');
  const isConcerned = (one: Requirement): boolean =>
    one.projects.some(
      (project) => projects.includes(project) || (leavesSlow && project === 'slow'),
    );
  const items = requirements
    .filter((one) => isConcerned(one) && !one.isMet())
    .map(({ name, remedy }) => `${name} (${remedy})`);
  const others = [...(leavesSlow ? ['slow tests'] : []), ...(skipsPostgres ? ['PostgreSQL'] : [])];
  if (others.length > 0) items.unshift(`${others.join(' and ')} (npm run test:all)`);
  return items.length === 0 ? null : `Left out: ${items.join(', ')}.`;
}

/** Writes that line after Vitest's summary. */
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
