import type { Client } from '@mneme/sdk';
import type { Command } from 'commander';
import { type CommandContext, printResult } from '../context.ts';
import { formatTable, pluralize } from '../format.ts';
import { addOutputOptions } from '../options.ts';
import { waitForJob } from '../wait-for-job.ts';

type Report = Awaited<ReturnType<Client['admin']['getReembedding']>>;

/** `mneme reembed`: changes all accounts to the configured embedding model. */
export function fillReembedCommand(command: Command, context: CommandContext): void {
  addOutputOptions(command).action(async (options: { json?: boolean }) => {
    const { admin } = await context.client();
    const { job_id } = await admin.startReembedding();
    const report = await waitForJob(
      context,
      () => admin.getReembedding({ params: { id: job_id } }),
      {
        label: progressLabel,
        isQuiet: options.json ?? false,
      },
    );
    printResult(context, options, report, () => describe(report));
  });
}

const progressLabel = ({ accounts, embedded }: Report): string =>
  `${pluralize(accounts, 'account')} done, ${embedded} embedded`;

function describe({ model, dimensions, accounts, embedded, refused, erased }: Report): string[] {
  return [
    ...formatTable([
      ['model', model],
      ['dimensions', String(dimensions)],
      ['accounts', String(accounts)],
      ['embedded', String(embedded)],
      ['rejected', String(refused)],
      ['erased', String(erased)],
    ]),
    ...(refused > 0
      ? ['The model rejected the text of some memories: search finds them by words only.']
      : []),
  ];
}
