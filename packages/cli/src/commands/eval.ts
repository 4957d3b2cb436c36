import path from 'node:path';
import type { Command } from 'commander';
import { type CommandContext, printResult } from '../context.ts';
import { CliError, UsageError } from '../errors.ts';
import { compareOutcomes } from '../evaluation/comparison.ts';
import { describeEvaluation, type EvaluationReport } from '../evaluation/describe.ts';
import { parseQuestions, type Question } from '../evaluation/questions.ts';
import { listUnmet, parseRequirement, type Requirement } from '../evaluation/requirements.ts';
import { type RunOptions, runQuestions } from '../evaluation/run.ts';
import {
  readLastRun,
  readRun,
  runsFolder,
  type SavedRun,
  saveRun,
} from '../evaluation/run-files.ts';
import { computeMetrics, computeReliability, countStatuses } from '../evaluation/summary.ts';
import { addOutputOptions, parseInteger } from '../options.ts';

interface Options {
  readonly recall?: boolean;
  readonly limit: number;
  readonly rewrite?: boolean;
  readonly rerank?: boolean;
  readonly against?: string;
  readonly save: boolean;
  readonly failBelow?: readonly Requirement[];
  readonly json?: boolean;
}

const resultsDefault = 10;
const resultsMax = 100;

/** `mneme eval <file>`: asks an account's own questions and measures the results. */
export function fillEvalCommand(command: Command, context: CommandContext): void {
  addOutputOptions(command)
    .argument('<file>', 'the questions: a JSON object with query and expected on each line')
    .option('--recall', 'measure recall instead of search')
    .option('--rewrite', 'let the language model of the service rewrite the questions')
    .option('--rerank', 'let the reranker of the service reorder the results')
    .option('--no-rerank', 'do not use the reranker (default: whether the service has one)')
    .option('--limit <n>', 'maximum number of results of a question', parseInteger, resultsDefault)
    .option('--against <run>', 'compare with this saved run (default: the last run of the file)')
    .option('--no-save', 'do not save this run')
    .option(
      '--fail-below <metric=n>',
      'exit with 1 if a metric is lower, e.g. recall@5=0.8; can be repeated',
      parseRequirement,
    )
    .action(async (file: string, options: Options) => {
      if (options.limit < 1 || options.limit > resultsMax) {
        throw new UsageError(`--limit must be from 1 to ${resultsMax}`);
      }
      const report = await evaluate(context, file, options);
      const { width } = context.display;
      printResult(context, options, report, () => describeEvaluation(report, width));
      if (report.unmet.length > 0) throw new CliError('below_minimum', report.unmet.join('; '));
    });
}

async function evaluate(
  context: CommandContext,
  file: string,
  options: Options,
): Promise<EvaluationReport> {
  const questions = parseQuestions(file, await context.readFile(file));
  const folder = context.stateFolder === null ? null : runsFolder(context.stateFolder, file);
  const former = await readFormerRun(folder, options);
  const run = await runAll(context, file, questions, options);
  const saved = options.save && folder !== null ? await saveRun(folder, run) : null;
  const metrics = computeMetrics(run.questions);
  return {
    file: run.file,
    started_at: run.started_at,
    options: run.options,
    questions: questions.length,
    unanswerable: questions.filter(({ expected }) => expected.length === 0).length,
    metrics,
    models: countStatuses(run.questions),
    reliability: computeReliability(run.questions),
    compared_with: former && {
      started_at: former.started_at,
      options: former.options,
      ...compareOutcomes(run.questions, former.questions),
    },
    saved_as: saved,
    unmet: listUnmet(metrics, options.failBelow ?? []),
  };
}

/** Read before the questions are asked, so that a wrong name is reported at once. */
function readFormerRun(
  folder: string | null,
  { against }: Pick<Options, 'against'>,
): Promise<SavedRun | null> | null {
  if (against !== undefined) return readRun(against);
  return folder === null ? null : readLastRun(folder);
}

async function runAll(
  context: CommandContext,
  file: string,
  questions: readonly Question[],
  { recall = false, limit, rewrite = false, rerank }: Options,
): Promise<SavedRun> {
  const options: RunOptions = { recall, limit, rewrite, rerank: rerank ?? null };
  const client = await context.client({ showsProgress: true });
  const progress = context.progress();
  const started_at = context.now().toISOString();
  const onQuestion = (done: number): void =>
    progress.update(done / questions.length, `${done} of ${questions.length} questions`);
  const { monotonicMs, sleep } = context;
  const run = { client, file, monotonicMs, sleep, onQuestion };
  try {
    const outcomes = await runQuestions(run, questions, options);
    return { version: 1, file: path.resolve(file), started_at, options, questions: outcomes };
  } finally {
    progress.end();
  }
}
