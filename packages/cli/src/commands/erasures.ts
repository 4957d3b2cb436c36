import { type Client, operations } from '@mneme/sdk';
import type { Command } from 'commander';
import { type CommandContext, printResult } from '../context.ts';
import { addOutputOptions, parseIdArgument } from '../options.ts';

type Erasure = Awaited<ReturnType<Client['admin']['listErasures']>>['data'][number];

/** `mneme erasures`: with `--json` one JSON value per erasure. */
export function fillErasuresCommand(command: Command, context: CommandContext): void {
  addOutputOptions(command)
    .option('--account <id>', 'only erasures of this account', parseIdArgument)
    .action(async (options: { json?: boolean; account?: string }) => {
      const client = await context.client();
      const { account } = options;
      const query = { limit: 100, ...(account && { account_id: account }) };
      for await (const erasure of client.paginate(operations.admin.listErasures, { query })) {
        printResult(context, options, erasure, () => [formatErasure(erasure)]);
      }
    });
}

const formatErasure = ({ erased_at, kind, id: erasedId, account_id }: Erasure): string =>
  [erased_at, kind.padEnd(12), erasedId, account_id].join('  ');
