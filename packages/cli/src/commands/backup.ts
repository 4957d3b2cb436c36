import type { Command } from 'commander';
import { saveToFile, writeTo } from '../binary-output.ts';
import { type CommandContext, printResult } from '../context.ts';
import { CliError, UsageError } from '../errors.ts';
import { addOutputOptions } from '../options.ts';

interface Options {
  readonly json?: boolean;
  readonly replace?: boolean;
}

/** The first bytes may have to wait for a checkpoint of the database. */
const firstBytesTimeoutMs = 300_000;
const mib = 2 ** 20;

/** `mneme backup`: writes the archive of `GET /v1/admin/backup` to a file or to stdout. */
export function fillBackupCommand(command: Command, context: CommandContext): void {
  addOutputOptions(command)
    .argument('<file>', 'the archive to create; - writes it to stdout')
    .option('--replace', 'replace the file if it exists')
    .action(async (file: string, options: Options) => {
      if (file === '-' && context.output.isTTY) {
        throw new UsageError('The archive is binary: name a file, or redirect stdout to one.');
      }
      const { admin } = await context.client();
      const response = await admin.backup({}, { timeoutMs: firstBytesTimeoutMs });
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
