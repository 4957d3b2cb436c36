import type { Command } from 'commander';
import { writeFileAtomically } from '../atomic-file.ts';
import { type CommandContext, printResult } from '../context.ts';
import { CliError } from '../errors.ts';
import { addCommand } from '../options.ts';

interface Options {
  readonly json?: boolean;
  readonly replace?: boolean;
}

/** The first bytes may have to wait for a checkpoint of the database. */
const firstBytesTimeoutMs = 300_000;
const mib = 2 ** 20;

/** `mneme backup`: writes the archive of `GET /v1/admin/backup` to a file or to stdout. */
export function registerBackupCommand(program: Command, context: CommandContext): void {
  addCommand(program, 'backup', 'save the whole installation as one archive (operator)')
    .argument('<file>', 'the archive to create; - writes it to stdout')
    .option('--replace', 'replace the file if it exists')
    .action(async (file: string, options: Options) => {
      if (file === '-' && context.output.isTTY) {
        throw new CliError(
          'usage',
          'The archive is binary: name a file, or redirect stdout to one.',
        );
      }
      const { admin } = await context.client();
      const response = await admin.backup({}, { timeoutMs: firstBytesTimeoutMs });
      const archive = response.body as AsyncIterable<Uint8Array> | null;
      if (archive === null) {
        throw new CliError('unexpected_answer', 'The response contains no archive.');
      }
      if (file === '-') return await writeTo(context.output, archive);
      const bytes = await save(context, file, archive, options);
      printResult(context, options, { file, bytes }, () => [
        `saved ${file} (${(bytes / mib).toFixed(1)} MiB)`,
      ]);
    });
}

async function save(
  context: CommandContext,
  file: string,
  archive: AsyncIterable<Uint8Array>,
  { replace = false, json = false }: Options,
): Promise<number> {
  const progress = context.progress();
  try {
    return await writeFileAtomically(file, archive, {
      replace,
      onBytes: (bytes) => {
        if (!json) progress.count(`${Math.floor(bytes / mib)} MiB`);
      },
    });
  } finally {
    progress.end();
  }
}

async function writeTo(
  output: NodeJS.WriteStream,
  archive: AsyncIterable<Uint8Array>,
): Promise<void> {
  for await (const chunk of archive) {
    await new Promise<void>((resolve, reject) =>
      output.write(chunk, (error) => (error ? reject(error) : resolve())),
    );
  }
}
