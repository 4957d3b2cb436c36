import { describe, expect, test } from 'vitest';
import type { Mutant } from './mutation.ts';
import type { MutantResult, RecordedTestFile } from './mutation-folder.ts';
import { planTestGroups } from './plan.ts';
import { mergeRecordings } from './record.ts';
import { renderReport } from './report.ts';
import { findFailure } from './run.ts';

const mutant: Mutant = {
  id: 3,
  kind: 'boundary',
  start: 10,
  end: 15,
  replacement: '',
  description: 'a < b → a <= b',
  path: 'packages/server/src/domains/webhooks/slots.ts',
  line: 7,
  area: 'webhooks',
  functionStart: 0,
  occurrence: 0,
};

const file = (path: string, project: string, ms: number, isGreen = true): RecordedTestFile => ({
  path,
  project,
  ms,
  hasPassed: isGreen,
});

const files = [
  file('test/acceptance/search/find.test.ts', 'api', 100),
  file('test/acceptance/webhooks/create.test.ts', 'api', 9_000),
  file('test/acceptance/webhooks/red.test.ts', 'api', 10, false),
  file('packages/server/src/domains/webhooks/slots.test.ts', 'unit', 50),
  file('packages/server/src/domains/webhooks/schedule.test.ts', 'unit', 20),
  file('packages/server/src/domains/webhooks/other.test.ts', 'unit', 20),
  file('test/acceptance/restart.slow.test.ts', 'slow', 4_000),
];
const paths = files.map(({ path }) => path).filter((path) => !path.includes('other'));
const reached = { 3: paths.filter((path) => !path.includes('slow')) };

describe('the files for a mutant', () => {
  const plan = (hasPostgres: boolean, budgetMs: number | null = null, hits = reached[3]) =>
    planTestGroups(mutant, { files, reachedBy: { 3: hits } }, { hasPostgres, budgetMs }).map(
      (group) => ({
        name: group.name,
        files: group.files.map(({ path }) => path.replace(/^.*\//, '')),
      }),
    );

  test('reach it, pass without it, and begin with the nearest and the shortest', () => {
    expect(plan(false)).toEqual([
      { name: 'unit', files: ['slots.test.ts', 'schedule.test.ts'] },
      { name: 'api', files: ['create.test.ts', 'find.test.ts'] },
    ]);
  });

  test('run again where a PostgreSQL is given', () => {
    expect(plan(true).at(-1)).toEqual({ name: 'all', files: ['create.test.ts', 'find.test.ts'] });
  });

  test('include the slow ones where it is unknown which file reached it', () => {
    expect(plan(false, null, ['unknown'])).toEqual([
      { name: 'all', files: ['restart.slow.test.ts'] },
    ]);
  });

  test('keep within the budget', () => {
    const [, api] = planTestGroups(
      mutant,
      { files, reachedBy: reached },
      { hasPostgres: false, budgetMs: 9_050 },
    );
    expect(api).toMatchObject({ filesNotRun: 1, timeLimitMs: 3 * 9_000 + 60_000 });
  });
});

describe('a recording', () => {
  const before = { files, reachedBy: { 3: [...reached[3], 'unknown'], 4: ['gone.test.ts'] } };

  test('replaces what was recorded of the same files and keeps the rest', () => {
    const again = file('test/acceptance/search/find.test.ts', 'api', 70);
    const merged = mergeRecordings(
      before,
      [again, file('gone.test.ts', 'unit', 1)],
      [
        { id: 5, file: again.path },
        { id: 5, file: again.path },
      ],
    );
    expect(merged.files.filter(({ path }) => path === again.path)).toEqual([again]);
    expect(merged.files).toHaveLength(files.length + 1);
    expect(merged.reachedBy).toEqual({
      3: [...reached[3].filter((path) => path !== again.path), 'unknown'].toSorted(),
      5: [again.path],
    });
  });
});

describe('a run', () => {
  const result = { isTimedOut: false, output: 'the end', seconds: 1 };
  const testResult = { name: '/copy/a.test.ts', startTime: 0, endTime: 9, message: '' };

  test('that passes finds nothing', () => {
    expect(findFailure({ ...result, code: 0, report: { testResults: [] } }, '/copy')).toBeNull();
  });

  test('that fails names the first test that failed', () => {
    const assertionResults = [
      { status: 'passed', fullName: 'is well' },
      { status: 'failed', fullName: 'counts', failureMessages: ['Error: 1, not 2\n  at'] },
    ];
    const failed = { ...testResult, status: 'failed', assertionResults };
    const later = { ...failed, name: '/copy/b.test.ts', endTime: 10 };
    expect(
      findFailure({ ...result, code: 1, report: { testResults: [later, failed] } }, '/copy'),
    ).toEqual({
      file: 'a.test.ts',
      test: 'counts',
      message: 'Error: 1, not 2',
      isTimedOut: false,
    });
  });

  test('that hangs or breaks finds the mutant, too', () => {
    const nothing = { file: null, test: null, message: 'the end' };
    expect(findFailure({ ...result, code: null, isTimedOut: true, report: null }, '/copy')).toEqual(
      {
        ...nothing,
        isTimedOut: true,
      },
    );
    expect(findFailure({ ...result, code: 134, report: null }, '/copy')).toEqual({
      ...nothing,
      isTimedOut: false,
    });
  });

  test('without a single test is a fault of the set-up', () => {
    const run = { ...result, code: 1, report: { testResults: [] } };
    expect(() => findFailure(run, '/copy')).toThrow('Vitest ran no test');
  });
});

test('the report counts by area and lists what survived', () => {
  const outcome = (id: number, foundBy: string | null): [number, MutantResult] => [
    id,
    {
      id,
      foundBy,
      file: foundBy && 'x.test.ts',
      test: null,
      message: null,
      isTimedOut: false,
      filesRun: 2,
      filesNotRun: foundBy ? 0 : 4,
      seconds: 1,
    },
  ];
  const mutants = [1, 2, 3, 4].map((id) => ({ ...mutant, id, area: id === 1 ? 'text' : 'work' }));
  const outcomes = new Map([outcome(1, 'unit'), outcome(2, 'all'), outcome(3, null)]);
  expect(renderReport(mutants, outcomes)).toBe(
    [
      '| area | mutants | npm test | test:all | survived |',
      '| --- | --- | --- | --- | --- |',
      '| text | 1 | 1 | 1 | 0 |',
      '| work | 2 | 0 | 1 | 1 |',
      '| total | 3 | 1 | 2 | 1 |',
      '',
      '1 mutants have no outcome yet.',
      '',
      'Found by test:all only:',
      '',
      `- 2 ${mutant.path}:7 boundary: \`a < b → a <= b\` (x.test.ts)`,
      '',
      'Survived:',
      '',
      `- 3 ${mutant.path}:7 boundary: \`a < b → a <= b\` (4 files not run)`,
    ].join('\n'),
  );
});
