import type { Command } from 'commander';
import { requireArchiveTarget, saveArchive } from '../binary-output.ts';
import type { CommandContext } from '../context.ts';
import { addOutputOptions } from '../options.ts';

interface Options {
  readonly json?: boolean;
  readonly replace?: boolean;
}

/** The first bytes may have to wait for a checkpoint of the database. */
const firstBytesTimeoutMs = 300_000;

/**
 * `mneme backup`: writes the archive of `GET /v1/admin/backup` to a file or to stdout.
 * `mneme backup verify` reads one with the server program, without a server.
 */
export function fillBackupCommand(command: Command, context: CommandContext): void {
  addOutputOptions(command)
    .argument('<file>', 'the archive to create; - writes it to stdout')
    .option('--replace', 'replace the file if it exists')
    .action(async (file: string, options: Options) => {
      requireArchiveTarget(context, file);
      const { admin } = await context.client();
      const response = await admin.backup({}, { timeoutMs: firstBytesTimeoutMs });
      await saveArchive(context, file, response, options);
    });
  command
    .command('verify')
    .description('check that a backup is complete, undamaged and restorable by this version')
    .argument('<file>', 'the archive')
    .option('--json', 'print one JSON value')
    .action(async (file: string, _options: Options, verify: Command) => {
      const { json } = verify.optsWithGlobals<Options>();
      await context.runServerProgram(['verify-backup', file, ...(json ? ['--json'] : [])]);
    });
}
