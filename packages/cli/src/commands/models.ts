import type { Client } from '@mneme/sdk';
import { type Command, InvalidArgumentError } from 'commander';
import { type CommandContext, printResult } from '../context.ts';
import { formatList, formatTable } from '../format.ts';
import { addCommand } from '../options.ts';
import { waitForJob } from '../wait-for-job.ts';

type ModelList = Awaited<ReturnType<Client['admin']['listModels']>>;
type Model = ModelList['models'][number];
type Report = Awaited<ReturnType<Client['admin']['getReembedding']>>;
type Test = Awaited<ReturnType<Client['admin']['getModelTest']>>;

interface OutputOptions {
  readonly json?: boolean;
}

/** `mneme models …`: list, install, use, test and remove embedding models. */
export function fillModelsCommand(models: Command, context: CommandContext): void {
  addList(models, context);
  addInstall(models, context);
  addUse(models, context);
  addTest(models, context);
  addRemove(models, context);
}

const orNone = (value: string | number | null): string => (value === null ? '–' : String(value));

const columns = {
  '': ({ is_current }: Model) => (is_current ? '*' : ''),
  name: ({ name }: Model) => name,
  state: ({ state }: Model) => state,
  dimensions: ({ dimensions }: Model) => orNone(dimensions),
  tokens: ({ tokens_max }: Model) => orNone(tokens_max),
  MB: ({ download_megabytes }: Model) => orNone(download_megabytes),
  languages: ({ languages }: Model) => orNone(languages),
  licence: ({ licence }: Model) => orNone(licence),
};

type Width = CommandContext['display']['width'];

function describeList({ current, change, models }: ModelList, width: Width): string[] {
  return [
    ...formatList(models, columns, 'no models', width),
    '',
    `Current: ${current.model}, ${current.dimensions} dimensions (${current.name})`,
    ...(change ? [`A change to ${change.name} is running: job ${change.job_id}`] : []),
  ];
}

function addList(models: Command, context: CommandContext): void {
  addCommand(models, 'list', 'list the known and the installed embedding models')
    .alias('ls')
    .action(async (options: OutputOptions) => {
      const { admin } = await context.client();
      const list = await admin.listModels();
      printResult(context, options, list, () => describeList(list, context.display.width));
    });
}

interface InstallOptions extends OutputOptions {
  readonly from?: string;
  readonly revision?: string;
  readonly dtype?: string;
}

/** Runs the server program on this machine: the model goes into its data folder. */
function addInstall(models: Command, context: CommandContext): void {
  addCommand(models, 'install', 'download a model into the data folder (on the server)')
    .argument('<name>', 'a known model, or owner/name on the hub')
    .option('--from <folder>', 'copy the model from this folder, without a network')
    .option('--revision <revision>', 'a branch, tag or commit on the hub')
    .option('--dtype <type>', 'the type of the weights, such as q8 or fp32')
    .action(async (name: string, options: InstallOptions) => {
      const { from, revision, dtype, json } = options;
      const values = Object.entries({ from, revision, dtype }).flatMap(([flag, value]) =>
        value === undefined ? [] : [`--${flag}`, value],
      );
      const flags = json ? ['--json'] : [];
      await context.runServerProgram(['models', 'install', name, ...values, ...flags]);
    });
}

interface UseOptions extends OutputOptions {
  readonly dimensions?: number;
}

function parseDimensions(text: string): number {
  const count = Number(text);
  if (Number.isInteger(count) && count > 0) return count;
  throw new InvalidArgumentError('It must be a positive integer.');
}

function addUse(models: Command, context: CommandContext): void {
  addCommand(models, 'use', 'change to another model while the service runs')
    .argument('<name>', 'an installed model, one of the endpoint, encoder, static or configured')
    .option('--dimensions <number>', 'dimensions, if the model offers several', parseDimensions)
    .action(async (model: string, options: UseOptions) => {
      const { admin } = await context.client();
      const { dimensions, json = false } = options;
      const { job_id: id } = await admin.startReembedding({ body: { model, dimensions } });
      if (!json) context.writeStderrLine(`To cancel the change: mneme jobs cancel ${id}`);
      const report = await waitForJob(context, () => admin.getReembedding({ params: { id } }), {
        label: ({ embedded }) => `${embedded} embedded`,
        isQuiet: json,
      });
      printResult(context, options, report, () => describeChange(report));
    });
}

const describeChange = ({ model, dimensions, accounts, embedded, refused }: Report): string[] =>
  formatTable([
    ['model', model],
    ['dimensions', String(dimensions)],
    ['accounts', String(accounts)],
    ['embedded', String(embedded)],
    ['rejected', String(refused)],
  ]);

interface TestOptions extends UseOptions {
  readonly against?: string;
  readonly account?: string;
}

function addTest(models: Command, context: CommandContext): void {
  addCommand(models, 'test', 'compare a model with the current one on questions of the account')
    .argument('<name>', 'the model to test')
    .option('--against <name>', 'the model to compare it with; default: the current one')
    .option('--dimensions <number>', 'dimensions, if the model offers several', parseDimensions)
    .option('--account <id>', 'the account whose memories are used')
    .action(async (model: string, options: TestOptions) => {
      const { admin } = await context.client();
      const { against, dimensions, account, json = false } = options;
      const body = { model, against, dimensions, account_id: account };
      const { job_id: id } = await admin.startModelTest({ body });
      const test = await waitForJob(context, () => admin.getModelTest({ params: { id } }), {
        label: () => 'texts embedded',
        isQuiet: json,
      });
      printResult(context, options, test, () => describeTest(test, context.display.width));
    });
}

const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;

function describeTest({ questions, memories, models }: Test, width: Width): string[] {
  const figures = {
    model: ({ name }: Test['models'][number]) => name,
    'R@1': ({ recall_1 }: Test['models'][number]) => percent(recall_1),
    'R@5': ({ recall_5 }: Test['models'][number]) => percent(recall_5),
    MRR: ({ mrr }: Test['models'][number]) => percent(mrr),
    'ms/question': ({ query_ms }: Test['models'][number]) => query_ms.toFixed(1),
    'ms/memory': ({ memory_ms }: Test['models'][number]) => memory_ms.toFixed(1),
    'bytes/memory': ({ vector_bytes }: Test['models'][number]) => String(vector_bytes),
  };
  const { feedback = 0, sessions = 0, updates = 0 } = questions ?? {};
  return [
    ...formatList(models, figures, 'no figures', width),
    '',
    `${feedback + sessions + updates} questions (${feedback} from feedback, ${sessions} from ` +
      `sessions, ${updates} from updates), ${memories ?? 0} memories`,
  ];
}

function addRemove(models: Command, context: CommandContext): void {
  addCommand(models, 'remove', 'remove an installed model that is not in use')
    .alias('rm')
    .argument('<name>', 'the installed model')
    .action(async (name: string, options: OutputOptions) => {
      const { admin } = await context.client();
      const removed = await admin.removeModel({ params: { name } });
      printResult(context, options, removed, () => [
        `removed ${removed.name} (${(removed.bytes / 1e6).toFixed(1)} MB)`,
      ]);
    });
}
