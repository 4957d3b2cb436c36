/** Seeded mutations of the server's source, and which tests find them. See CONTRIBUTING.md. */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { repositoryFiles } from '../tidy/files.ts';
import { writeControl } from './control.ts';
import { checkOutCommit } from './copy.ts';
import { instrumentFile } from './instrument.ts';
import { type MutantSelection, MutationFolder, readMutants } from './mutation-folder.ts';
import { recordProjectCoverage } from './record.ts';
import { renderMutant, renderReport } from './report.ts';
import { runMutant } from './run.ts';
import { findSameMutants, selectMutants } from './select-mutants.ts';
import { findMutationSites } from './sites.ts';
import { serverSources } from './sources.ts';

const usage = `npm run mutations -- <step> [options]

Steps, in this order:
  instrument  Chooses mutations and makes a copy of the repository with all of them in it.
  record      Runs the tests in the copy without a mutation: which files reach which, and how long.
              Paths after the step limit it to these files. May be repeated by project.
  run         Runs for each mutation the files that reach it. An interrupted run continues.
  report      Prints what was found, and what survived.

Options:
  --out <folder>       What the steps keep (a folder in the temporary folder)
  --seed <number>      instrument: chooses others (1)
  --count <number>     instrument: how many (100)
  --area <name>        instrument: of this area only, such as webhooks
  --commit <name>      instrument: the version that is copied (HEAD)
  --like <file>        instrument: the same mutations as in another mutants.json
  --project <name>     record: unit, api or slow; may be repeated (all three)
  --only <ids>         run: these mutations, also where they have an outcome: 3,17
  --budget <seconds>   run: at most so much recorded time in each group of files (no limit)

Set MNEME_TEST_DATABASE_URL to include PostgreSQL in record and run.`;

const root = resolve(import.meta.dirname, '../..');
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    out: { type: 'string', default: join(tmpdir(), 'mneme-mutations') },
    seed: { type: 'string', default: '1' },
    count: { type: 'string', default: '100' },
    area: { type: 'string' },
    commit: { type: 'string', default: 'HEAD' },
    like: { type: 'string' },
    project: { type: 'string', multiple: true, default: ['unit', 'api', 'slow'] },
    only: { type: 'string' },
    budget: { type: 'string' },
  },
});

function number(name: string, text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 0) throw new Error(`${name}: ${text} is not a number`);
  return value;
}

function instrumentCopy(folder: MutationFolder): void {
  const commit = execFileSync('git', ['rev-parse', values.commit], { cwd: root, encoding: 'utf8' });
  checkOutCommit(root, commit.trim(), folder.copy);
  const sources = serverSources(repositoryFiles(folder.copy));
  const { area } = values;
  const sites = sources.flatMap(findMutationSites).filter((site) => !area || site.area === area);
  const chosen = selectForCommit(sites, commit.trim());
  for (const file of sources) {
    writeFileSync(join(folder.copy, file.path), instrumentFile(file, chosen.mutants));
  }
  writeControl(folder.copy, { active: null, hitsFolder: null, testOrder: [] });
  folder.writeMutants(chosen);
  for (const mutant of chosen.mutants) console.log(renderMutant(mutant));
  console.log(`seed ${chosen.seed}: ${chosen.mutants.length} of ${sites.length} mutations`);
}

function selectForCommit(
  sites: Parameters<typeof selectMutants>[0],
  commit: string,
): MutantSelection {
  const [seed, count] = [number('--seed', values.seed), number('--count', values.count)];
  if (!values.like) return { commit, seed, mutants: selectMutants(sites, { seed, count }) };
  const other = readMutants(values.like);
  const { mutants, missing } = findSameMutants(sites, other.mutants);
  for (const { id, path, line, description } of missing) {
    console.log(`missing here: ${id} ${path}:${line} ${description}`);
  }
  return { commit, seed: other.seed, mutants };
}

async function runAll(folder: MutationFolder): Promise<void> {
  const only = values.only?.split(',').map((id) => number('--only', id));
  const budgetMs = values.budget ? number('--budget', values.budget) * 1_000 : null;
  const recording = folder.readRecording();
  if (recording.files.length === 0) throw new Error('Nothing is recorded yet: run record first.');
  const known = folder.readResults();
  const { mutants } = folder.readMutants();
  const due = mutants.filter(({ id }) => (only ? only.includes(id) : !known.has(id)));
  for (const mutant of due) {
    const outcome = await runMutant(folder, mutant, recording, budgetMs);
    folder.addResult(outcome);
    const { foundBy, file, seconds, isTimedOut } = outcome;
    const how = foundBy ? `found by ${foundBy}: ${isTimedOut ? 'hangs' : file}` : 'survived';
    console.log(`${mutant.id} ${mutant.path}:${mutant.line} ${how} (${seconds} s)`);
  }
}

async function main(): Promise<void> {
  const [step = '', ...paths] = positionals;
  const steps = ['instrument', 'record', 'run', 'report'];
  if (!steps.includes(step)) {
    console.error(usage);
    process.exitCode = 2;
    return;
  }
  const out = resolve(values.out);
  const folder = new MutationFolder(out);
  if (step === 'instrument') instrumentCopy(folder);
  if (step === 'record') {
    for (const project of values.project) await recordProjectCoverage(folder, project, paths);
  }
  if (step === 'run') await runAll(folder);
  if (step === 'report') {
    console.log(renderReport(folder.readMutants().mutants, folder.readResults()));
  }
}

await main();
