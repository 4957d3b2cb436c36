import { describe, expect, it } from 'vitest';
import type { Requirement } from './requirements.ts';
import { skippedTestsLine } from './skipped-tests-reporter.ts';

const requirement = (
  name: string,
  projects: Requirement['projects'],
  isMet: boolean,
): Requirement => ({ name, remedy: `install ${name}`, projects, isMet: () => isMet });
const some = [
  requirement('a', ['slow'], false),
  requirement('b', ['api'], true),
  requirement('c', ['unit'], false),
  requirement('d', ['long'], false),
];

describe('the line of what a run left out', () => {
  it('names the command for the slow tests, and what they would need', () => {
    expect(skippedTestsLine({ projects: ['unit', 'api'], skipsPostgres: false }, some)).toBe(
      'Left out: slow tests (npm run test:all), a (install a), c (install c).',
    );
    expect(skippedTestsLine({ projects: ['unit', 'api'], skipsPostgres: true }, [])).toBe(
      'Left out: slow tests and PostgreSQL (npm run test:all).',
    );
  });

  it('has what is missing for the projects that ran', () => {
    const run = { projects: ['unit', 'api', 'slow'], skipsPostgres: false };
    expect(skippedTestsLine(run, some)).toBe('Left out: a (install a), c (install c).');
    expect(skippedTestsLine({ ...run, projects: ['unit'] }, some)).toBe('Left out: c (install c).');
  });

  it('is none where nothing is missing', () => {
    const run = { projects: ['unit', 'api', 'slow'], skipsPostgres: false };
    expect(skippedTestsLine(run, [requirement('b', ['api'], true)])).toBeNull();
  });
});
