import { type Client, routes } from '@mneme/sdk';
import type { Command } from 'commander';
import { type Context, show } from '../context.ts';
import { id, leaf } from '../options.ts';

type Erasure = Awaited<ReturnType<Client['admin']['listErasures']>>['data'][number];

/** `mneme erasures`: with `--json` one JSON value for each. */
export function addErasures(program: Command, context: Context): void {
  leaf(program, 'erasures', 'what was erased for good, newest first: ids and times (operator)')
    .option('--account <id>', 'only of this account', id)
    .action(async (options: { json?: boolean; account?: string }) => {
      const client = await context.client();
      const { account } = options;
      const query = { limit: 100, ...(account && { account_id: account }) };
      for await (const erasure of client.paginate(routes.admin.listErasures, { query })) {
        show(context, options, erasure, () => [lineOf(erasure)]);
      }
    });
}

const lineOf = ({ erased_at, kind, id: erasedId, account_id }: Erasure): string =>
  [erased_at, kind.padEnd(12), erasedId, account_id].join('  ');
