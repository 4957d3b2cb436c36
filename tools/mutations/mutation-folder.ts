import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { Mutant } from './mutation.ts';

/** A test file as it ran without an active mutant. */
export interface RecordedTestFile {
  readonly path: string;
  readonly project: string;
  readonly ms: number;
  readonly hasPassed: boolean;
}

export interface CoverageRecording {
  readonly files: readonly RecordedTestFile[];
  /** By the mutant's id: the test files that reach it, or `unknown`. */
  readonly reachedBy: Readonly<Record<string, readonly string[]>>;
}

/** What became of one mutant. */
export interface MutantResult {
  readonly id: number;
  /** The first group of files that found it; null where it survived. */
  readonly foundBy: string | null;
  readonly file: string | null;
  readonly test: string | null;
  readonly message: string | null;
  readonly isTimedOut: boolean;
  readonly filesRun: number;
  /** Files that reach it but were not run, since the budget was used up. */
  readonly filesNotRun: number;
  readonly seconds: number;
}

export interface MutantSelection {
  readonly commit: string;
  readonly seed: number;
  readonly mutants: readonly Mutant[];
}

/** What is kept between the steps, below one folder. */
export class MutationFolder {
  readonly copy: string;
  readonly #root: string;

  constructor(folder: string) {
    mkdirSync(folder, { recursive: true });
    // Processes report where they run without symbolic links.
    this.#root = realpathSync(folder);
    this.copy = join(this.#root, 'copy');
  }

  /** An empty folder for temporary files: no database of another run is found there. */
  emptyTemp(): string {
    return this.#empty('tmp');
  }

  emptyHits(): string {
    return this.#empty('hits');
  }

  readMutants(): MutantSelection {
    return readMutants(join(this.#root, 'mutants.json'));
  }

  /** Results of other mutants would be misread. */
  writeMutants(chosen: MutantSelection): void {
    for (const name of ['recording.json', 'outcomes.jsonl']) {
      rmSync(join(this.#root, name), { force: true });
    }
    this.#write('mutants.json', chosen);
  }

  readRecording(): CoverageRecording {
    const file = join(this.#root, 'recording.json');
    if (!existsSync(file)) return { files: [], reachedBy: {} };
    return JSON.parse(readFileSync(file, 'utf8')) as CoverageRecording;
  }

  writeRecording(recording: CoverageRecording): void {
    this.#write('recording.json', recording);
  }

  /** The last outcome of each mutant. */
  readResults(): Map<number, MutantResult> {
    const file = join(this.#root, 'outcomes.jsonl');
    const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : [];
    const outcomes = lines.filter(Boolean).map((line) => JSON.parse(line) as MutantResult);
    return new Map(outcomes.map((outcome) => [outcome.id, outcome]));
  }

  addResult(outcome: MutantResult): void {
    appendFileSync(join(this.#root, 'outcomes.jsonl'), `${JSON.stringify(outcome)}\n`);
  }

  #write(name: string, value: unknown): void {
    writeFileSync(join(this.#root, name), `${JSON.stringify(value, null, 1)}\n`);
  }

  #empty(name: string): string {
    const folder = join(this.#root, name);
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    return folder;
  }
}

export const readMutants = (file: string): MutantSelection =>
  JSON.parse(readFileSync(file, 'utf8')) as MutantSelection;
