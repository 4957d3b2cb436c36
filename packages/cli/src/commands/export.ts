import type { Client } from '@mneme/sdk';
import type { Command } from 'commander';
import { requireArchiveTarget, saveArchive } from '../binary-output.ts';
import type { CommandContext } from '../context.ts';
import { UsageError } from '../errors.ts';
import { addOutputOptions, toSpaceField } from '../options.ts';

interface Options {
  readonly json?: boolean;
  readonly replace?: boolean;
  readonly space?: string;
  readonly user?: string;
  readonly account?: string;
  readonly allAccounts?: boolean;
}

/** The server reads all records before the first byte. */
const firstBytesTimeoutMs = 600_000;

/** `mneme export`: writes the archive of `GET /v1/export` to a file or to stdout. */
export function fillExportCommand(command: Command, context: CommandContext): void {
  addOutputOptions(command)
    .argument('<file>', 'the archive to create; - writes it to stdout')
    .option('--space <name or id>', 'only this space')
    .option('--user <id>', 'only what belongs to this user')
    .option('--account <id>', 'another account (operator)')
    .option('--all-accounts', 'all accounts (operator)')
    .option('--replace', 'replace the file if it exists')
    .action(async (file: string, options: Options) => {
      requireArchiveTarget(context, file);
      const response = await request(await context.client({ showsProgress: true }), options);
      await saveArchive(context, file, response, options);
    });
}

function request(client: Client, options: Options): Promise<Response> {
  const { space, user, account, allAccounts = false } = options;
  const limits = { timeoutMs: firstBytesTimeoutMs };
  if (account === undefined && !allAccounts) {
    const query = { ...toSpaceField(space), ...(user !== undefined && { user_id: user }) };
    return client.transfers.export({ query }, limits);
  }
  if (space !== undefined || user !== undefined || (account !== undefined && allAccounts)) {
    throw new UsageError('--account and --all-accounts export whole accounts: use one of them.');
  }
  const query = account === undefined ? {} : { account_id: account };
  return client.admin.export({ query }, limits);
}
