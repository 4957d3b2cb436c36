import { join, relative } from 'node:path';
import { writeControl } from './control.ts';
import type { Mutant } from './mutation.ts';
import type { CoverageRecording, MutantResult, MutationFolder } from './mutation-folder.ts';
import { planTestGroups, type TestGroup, type TestPlanOptions } from './plan.ts';
import { runVitest, type VitestResult } from './vitest.ts';

const databaseVariable = 'MNEME_TEST_DATABASE_URL';

/** Runs the files that reach the mutant, group by group, until one fails. */
export async function runMutant(
  folder: MutationFolder,
  mutant: Mutant,
  recording: CoverageRecording,
  budgetMs: number | null,
): Promise<MutantResult> {
  const hasPostgres = Boolean(process.env[databaseVariable]);
  const options: TestPlanOptions = { hasPostgres, budgetMs };
  const temp = folder.emptyTemp();
  const counts = { filesRun: 0, filesNotRun: 0, seconds: 0 };
  for (const group of planTestGroups(mutant, recording, options)) {
    const result = await runGroup(folder, mutant, group, temp);
    counts.filesRun += group.files.length;
    counts.filesNotRun += group.filesNotRun;
    counts.seconds += result.seconds;
    const failure = findFailure(result, folder.copy);
    if (failure) return { id: mutant.id, foundBy: group.name, ...failure, ...counts };
  }
  const none = { foundBy: null, file: null, test: null, message: null, isTimedOut: false };
  return { id: mutant.id, ...none, ...counts };
}

function runGroup(
  { copy }: MutationFolder,
  mutant: Mutant,
  { files, projects, hasPostgres, timeLimitMs }: TestGroup,
  temp: string,
): Promise<VitestResult> {
  const order = files.map(({ path }) => join(copy, path));
  writeControl(copy, { active: mutant.id, hitsFolder: null, testOrder: order });
  const { [databaseVariable]: url, ...rest } = process.env;
  const database = hasPostgres && url ? { [databaseVariable]: url } : {};
  return runVitest({
    copy,
    project: projects,
    files: order,
    flags: ['--bail=1'],
    env: { ...rest, ...database, TMPDIR: temp },
    timeLimitMs,
    showsOutput: false,
  });
}

/** Where the run failed first; null where it passed. */
export function findFailure({ code, isTimedOut, report, output }: VitestResult, copy: string) {
  if (code === 0 && !isTimedOut) return null;
  const failed = (report?.testResults ?? [])
    .filter(({ status }) => status === 'failed')
    .toSorted((a, b) => a.endTime - b.endTime)[0];
  if (!failed && report?.testResults.length === 0) {
    throw new Error(`Vitest ran no test: ${output}`);
  }
  const test = failed?.assertionResults.find(({ status }) => status === 'failed');
  const message = test?.failureMessages?.[0] ?? failed?.message ?? output.trim().slice(-300);
  return {
    file: failed ? relative(copy, failed.name) : null,
    test: test?.fullName ?? null,
    message: message.split('\n', 1)[0] ?? '',
    isTimedOut,
  };
}
