import { createHash } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import fs from 'node:fs/promises';
import path from 'node:path';
import { writeFileAtomically } from '../atomic-file.ts';
import { CliError } from '../errors.ts';
import type { QuestionOutcome } from './outcome.ts';
import type { RunOptions } from './run.ts';

/** A saved run: what was asked and found, without texts of memories. */
export interface SavedRun {
  readonly version: 1;
  /** The absolute path of the questions. */
  readonly file: string;
  readonly started_at: string;
  readonly options: RunOptions;
  readonly questions: readonly QuestionOutcome[];
}

/** The folder with the runs of a file of questions. */
export function runsFolder(stateFolder: string, questionFile: string): string {
  const absolute = path.resolve(questionFile);
  const hash = createHash('sha256').update(absolute).digest('hex').slice(0, 12);
  const name = path
    .basename(absolute, '.jsonl')
    .replaceAll(/[^\w.-]+/g, '-')
    .slice(0, 40);
  return path.join(stateFolder, 'evaluations', `${name}-${hash}`);
}

/** Writes the run for its owner only and returns the path. */
export async function saveRun(folder: string, run: SavedRun): Promise<string> {
  const file = path.join(folder, `${run.started_at.replaceAll(':', '-')}.json`);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new CliError('unwritable_file', `Cannot create the folder ${folder} (${code}).`);
  }
  const bytes = Buffer.from(`${JSON.stringify(run, null, 2)}\n`);
  await writeFileAtomically(file, toStream(bytes), { replace: true, onBytes: () => undefined });
  return file;
}

async function* toStream(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

/** The latest run of a folder; null without one. */
export async function readLastRun(folder: string): Promise<SavedRun | null> {
  const last = (await listRunNames(folder)).at(-1);
  return last === undefined ? null : readRun(path.join(folder, last));
}

/** The names begin with the time of the run, so that they sort by it. */
async function listRunNames(folder: string): Promise<string[]> {
  try {
    const names = await fs.readdir(folder);
    return names.filter((name) => /^\d{4}-\d\d-\d\dT[\d.-]+Z\.json$/.test(name)).toSorted();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return [];
    throw new CliError('unreadable_folder', `Cannot read the runs in ${folder} (${code}).`);
  }
}

/** Reads a run by its path. Throws CliError `unreadable_file` or `invalid_run`. */
export async function readRun(file: string): Promise<SavedRun> {
  const text = await fs.readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    const why = error.code === 'ENOENT' ? 'does not exist' : `cannot be read (${error.code})`;
    throw new CliError('unreadable_file', `${file} ${why}.`);
  });
  const run = parseRun(text);
  if (run !== null) return run;
  throw new CliError('invalid_run', `${file} is not a run that mneme eval saved.`);
}

function parseRun(text: string): SavedRun | null {
  try {
    const run = JSON.parse(text) as SavedRun;
    const isValid =
      run.version === 1 &&
      typeof run.started_at === 'string' &&
      typeof run.options.limit === 'number' &&
      run.questions.every(isOutcome);
    return isValid ? run : null;
  } catch {
    return null;
  }
}

const isOutcome = ({ query, ranks, results, latency_ms }: QuestionOutcome): boolean =>
  typeof query === 'string' &&
  typeof latency_ms === 'number' &&
  ranks.every((rank) => rank === null || rank >= 1) &&
  results.every(
    ({ score, is_hit }) => (score === null || typeof score === 'number') && is_hit !== undefined,
  );
