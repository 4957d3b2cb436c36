import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { writeControl } from './control.ts';
import type { CoverageRecording, MutationFolder, RecordedTestFile } from './mutation-folder.ts';
import { runVitest, type VitestJsonReport } from './vitest.ts';

/** A mutant that a test file reaches. */
export interface MutantHit {
  readonly id: number;
  /** From the root of the copy, or `unknown`. */
  readonly file: string;
}

/** Runs a project's files without a mutant and keeps what they reach and how long they take. */
export async function recordProjectCoverage(
  folder: MutationFolder,
  project: string,
  paths: readonly string[],
): Promise<void> {
  const { copy } = folder;
  const hits = folder.emptyHits();
  writeControl(copy, { active: null, hitsFolder: hits, testOrder: [] });
  const { report, output } = await runVitest({
    copy,
    project: [project],
    files: paths,
    // Each file loads the modules itself: else only the first one reaches what is kept in them.
    flags: ['--isolate', '--passWithNoTests'],
    env: { ...process.env, TMPDIR: folder.emptyTemp() },
    timeLimitMs: null,
    showsOutput: true,
  });
  if (!report) throw new Error(`Vitest wrote no report: ${output}`);
  const files = toRecordedFiles(report, project, copy);
  folder.writeRecording(mergeRecordings(folder.readRecording(), files, readHits(hits, copy)));
}

const toRecordedFiles = (
  { testResults }: VitestJsonReport,
  project: string,
  copy: string,
): RecordedTestFile[] =>
  testResults.map(({ name, status, startTime, endTime }) => ({
    path: relative(copy, name),
    project,
    ms: Math.round(endTime - startTime),
    hasPassed: status === 'passed',
  }));

function readHits(folder: string, copy: string): MutantHit[] {
  const names = readdirSync(folder).filter((name) => name.endsWith('.txt'));
  return names.flatMap((name) =>
    readFileSync(join(folder, name), 'utf8')
      .split('\n')
      .filter(Boolean)
      .map((line) => {
        const [id, file = ''] = line.split('\t');
        return { id: Number(id), file: file.startsWith(copy) ? relative(copy, file) : 'unknown' };
      }),
  );
}

/** A later recording of the same files replaces the earlier one. */
export function mergeRecordings(
  before: CoverageRecording,
  files: readonly RecordedTestFile[],
  hits: readonly MutantHit[],
): CoverageRecording {
  const isNew = new Set(files.map(({ path }) => path));
  const kept = Object.entries(before.reachedBy).flatMap(([id, paths]) =>
    paths.filter((path) => !isNew.has(path)).map((file) => ({ id: Number(id), file })),
  );
  const reached = Map.groupBy([...kept, ...hits], ({ id }) => id);
  return {
    files: [...before.files.filter(({ path }) => !isNew.has(path)), ...files],
    reachedBy: Object.fromEntries(
      [...reached].map(([id, all]) => [id, [...new Set(all.map(({ file }) => file))].toSorted()]),
    ),
  };
}
