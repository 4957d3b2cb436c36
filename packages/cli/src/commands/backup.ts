import type { Command } from 'commander';
import { type Context, show } from '../context.ts';
import { Fault } from '../faults.ts';
import { leaf } from '../options.ts';
import { writeWholeFile } from '../whole-file.ts';

interface Options {
  readonly json?: boolean;
  readonly replace?: boolean;
}

/** The first bytes may have to wait for a checkpoint of a busy database. */
const firstBytesMs = 300_000;
const mib = 2 ** 20;

/** `mneme backup`: the archive of `GET /v1/admin/backup` as a file, or on the standard output. */
export function addBackup(program: Command, context: Context): void {
  leaf(program, 'backup', 'save the whole installation as one archive (operator)')
    .argument('<file>', 'the archive; - writes it to stdout')
    .option('--replace', 'replace the file where it exists')
    .action(async (file: string, options: Options) => {
      if (file === '-' && context.output.isTTY) {
        throw new Fault('usage', 'The archive is binary: name a file, or send stdout to one.');
      }
      const { admin } = await context.client();
      const response = await admin.backup({}, { timeoutMs: firstBytesMs });
      const pieces = response.body as AsyncIterable<Uint8Array> | null;
      if (pieces === null) throw new Fault('unexpected_answer', 'The answer has no archive.');
      if (file === '-') return await sendTo(context.output, pieces);
      const bytes = await save(context, file, pieces, options);
      show(context, options, { file, bytes }, () => [
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
    return await writeWholeFile(file, pieces, {
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
