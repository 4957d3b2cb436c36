import type { Mutant } from './mutation.ts';
import type { CoverageRecording, RecordedTestFile } from './mutation-folder.ts';

/** Test files that run in one call of Vitest, the most promising first. */
export interface TestGroup {
  readonly name: 'unit' | 'api' | 'all';
  readonly projects: readonly string[];
  /** Otherwise MNEME_TEST_DATABASE_URL is unset. */
  readonly hasPostgres: boolean;
  readonly files: readonly RecordedTestFile[];
  readonly filesNotRun: number;
  /** A mutant that takes longer hangs. */
  readonly timeLimitMs: number;
}

export interface TestPlanOptions {
  /** Whether a PostgreSQL is given, so that files run again with it. */
  readonly hasPostgres: boolean;
  /** Recorded time of the files that a group runs at most; null for all of them. */
  readonly budgetMs: number | null;
}

/** Of the time that was recorded, and the time that a start takes. */
const timeLimitFactor = 3;
const startMs = 60_000;

/** The files that reach the mutant and pass without it, in groups, the cheapest group first. */
export function planTestGroups(
  mutant: Mutant,
  recording: CoverageRecording,
  options: TestPlanOptions,
): TestGroup[] {
  const reaching = new Set(recording.reachedBy[mutant.id]);
  const files = recording.files
    .filter(({ hasPassed }) => hasPassed)
    // A process that no test file could be found for is one of a slow test.
    .filter(
      ({ path, project }) => reaching.has(path) || (project === 'slow' && reaching.has('unknown')),
    )
    .toSorted((a, b) => distance(mutant, a) - distance(mutant, b) || a.ms - b.ms);
  const again = options.hasPostgres ? ['api', 'slow'] : ['slow'];
  return [
    makeGroup('unit', ['unit'], files, options),
    makeGroup('api', ['api'], files, options),
    makeGroup('all', again, files, options),
  ].filter((each) => each.files.length > 0);
}

function makeGroup(
  name: TestGroup['name'],
  projects: readonly string[],
  all: readonly RecordedTestFile[],
  { hasPostgres, budgetMs }: TestPlanOptions,
): TestGroup {
  const own = all.filter(({ project }) => projects.includes(project));
  let totalMs = 0;
  const files = own.filter(({ ms }, i) => {
    const isWithin = i === 0 || budgetMs === null || totalMs + ms <= budgetMs;
    if (isWithin) totalMs += ms;
    return isWithin;
  });
  return {
    name,
    projects,
    hasPostgres: name === 'all' && hasPostgres,
    files,
    filesNotRun: own.length - files.length,
    timeLimitMs: timeLimitFactor * totalMs + startMs,
  };
}

/** 0 for the test beside the file, 1 for tests of its area, 2 for all others. */
function distance({ path, area }: Mutant, test: RecordedTestFile): number {
  const stem = path.replace(/\.ts$/, '.');
  if (test.path.startsWith(stem)) return 0;
  return test.path.split('/').includes(area) ? 1 : 2;
}
