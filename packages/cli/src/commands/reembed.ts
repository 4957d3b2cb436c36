import type { Client } from '@mneme/sdk';
import type { Command } from 'commander';
import { type Context, show } from '../context.ts';
import { follow } from '../follow.ts';
import { plural, table } from '../format.ts';
import { leaf } from '../options.ts';

type Report = Awaited<ReturnType<Client['admin']['getReembedding']>>;

/** `mneme reembed`: changes every account to the model that the service is configured for. */
export function addReembed(program: Command, context: Context): void {
  leaf(
    program,
    'reembed',
    'change to the configured embedding model, beside live traffic (operator)',
  ).action(async (options: { json?: boolean }) => {
    const { admin } = await context.client();
    const { job_id } = await admin.startReembedding();
    const report = await follow(context, () => admin.getReembedding({ params: { id: job_id } }), {
      label: progressLabel,
      isQuiet: options.json ?? false,
    });
    show(context, options, report, () => describe(report));
  });
}

const progressLabel = ({ accounts, embedded }: Report): string =>
  `${plural(accounts, 'account')} done, ${embedded} embedded`;

function describe({ model, dimensions, accounts, embedded, refused, erased }: Report): string[] {
  return [
    ...table([
      ['model', model],
      ['dimensions', String(dimensions)],
      ['accounts', String(accounts)],
      ['embedded', String(embedded)],
      ['refused', String(refused)],
      ['erased', String(erased)],
    ]),
    ...(refused > 0
      ? ['The model refuses the text of some memories; they are found by their words alone.']
      : []),
  ];
}
