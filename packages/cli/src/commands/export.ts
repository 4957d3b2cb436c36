import type { Client } from '@mneme/sdk';
import type { Command } from 'commander';
import { saveToFile, writeTo } from '../binary-output.ts';
import { type CommandContext, printResult } from '../context.ts';
import { CliError, UsageError } from '../errors.ts';
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
const mib = 2 ** 20;

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
      if (file === '-' && context.output.isTTY) {
        throw new UsageError('The archive is binary: name a file, or redirect stdout to one.');
      }
      const response = await request(await context.client({ showsProgress: true }), options);
      const archive = response.body as AsyncIterable<Uint8Array> | null;
      if (archive === null) {
        throw new CliError('unexpected_answer', 'The response contains no archive.');
      }
      if (file === '-') return await writeTo(context.output, archive);
      const { replace = false, json = false } = options;
      const bytes = await saveToFile(context, file, archive, { replace, isQuiet: json });
      printResult(context, options, { file, bytes }, () => [
        `saved ${file} (${(bytes / mib).toFixed(1)} MiB)`,
      ]);
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
