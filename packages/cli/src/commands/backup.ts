import type { Command } from 'commander';
import { writeFileAtomically } from '../atomic-file.ts';
import { type Context, printResult } from '../context.ts';
import { CliError } from '../errors.ts';
import { addCommand } from '../options.ts';

interface Options {
  readonly json?: boolean;
  readonly replace?: boolean;
}

/** The first bytes may have to wait for a checkpoint of a busy database. */
const firstBytesTimeoutMs = 300_000;
const mib = 2 ** 20;

/** `mneme backup`: the archive of `GET /v1/admin/backup` as a file, or on the standard output. */
export function registerBackupCommand(program: Command, context: Context): void {
  addCommand(program, 'backup', 'save the whole installation as one archive (operator)')
    .argument('<file>', 'the archive; - writes it to stdout')
    .option('--replace', 'replace the file where it exists')
    .action(async (file: string, options: Options) => {
      if (file === '-' && context.output.isTTY) {
        throw new CliError('usage', 'The archive is binary: name a file, or send stdout to one.');
      }
      const { admin } = await context.client();
      const response = await admin.backup({}, { timeoutMs: firstBytesTimeoutMs });
      const pieces = response.body as AsyncIterable<Uint8Array> | null;
      if (pieces === null) throw new CliError('unexpected_answer', 'The answer has no archive.');
      if (file === '-') return await sendTo(context.output, pieces);
      const bytes = await save(context, file, pieces, options);
      printResult(context, options, { file, bytes }, () => [
        `saved ${file} (${(bytes / mib).toFixed(1)} MiB)`,
      ]);
    });
}

async function save(
  context: Context,
  file: string,
  pieces: AsyncIterable<Uint8Array>,
  { replace = false, json = false }: Options,
): Promise<number> {
  const progress = context.progress();
  try {
    return await writeFileAtomically(file, pieces, {
      replace,
      onBytes: (bytes) => {
        if (!json) progress.count(`${Math.floor(bytes / mib)} MiB`);
      },
    });
  } finally {
    progress.end();
  }
}

async function sendTo(
  output: NodeJS.WriteStream,
  pieces: AsyncIterable<Uint8Array>,
): Promise<void> {
  for await (const piece of pieces) {
    await new Promise<void>((resolve, reject) =>
      output.write(piece, (error) => (error ? reject(error) : resolve())),
    );
  }
}
