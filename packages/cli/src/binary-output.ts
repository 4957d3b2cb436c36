import { writeFileAtomically } from './atomic-file.ts';
import { type CommandContext, printResult } from './context.ts';
import { CliError, UsageError } from './errors.ts';

const mib = 2 ** 20;

interface OutputOptions {
  readonly json?: boolean;
  readonly output?: string;
}

/**
 * Writes the body of a response to the file of `output`; by default and for `-` to stdout. Throws
 * UsageError if that is a terminal.
 */
export async function saveBody(
  context: CommandContext,
  response: Response,
  { output = '-', json = false }: OutputOptions,
): Promise<void> {
  const body = (response.body ?? new Blob([]).stream()) as unknown as AsyncIterable<Uint8Array>;
  if (output === '-') {
    if (!context.output.isTTY) return writeTo(context.output, body);
    await response.body?.cancel();
    throw new UsageError('the result is binary: use --output FILE, or redirect stdout');
  }
  const bytes = await saveToFile(context, output, body, { replace: true, isQuiet: json });
  const line = json
    ? JSON.stringify({ file: output, bytes })
    : `saved ${output} (${(bytes / mib).toFixed(1)} MiB)`;
  context.writeLine(line);
}

/** Throws UsageError for `-` if that is a terminal; called before the server makes an archive. */
export function requireArchiveTarget({ output }: CommandContext, file: string): void {
  if (file !== '-' || !output.isTTY) return;
  throw new UsageError('The archive is binary: name a file, or redirect stdout to one.');
}

/** Writes an archive to a file and says so, or to stdout for `-`. */
export async function saveArchive(
  context: CommandContext,
  file: string,
  response: Response,
  options: { readonly json?: boolean; readonly replace?: boolean },
): Promise<void> {
  const archive = response.body as AsyncIterable<Uint8Array> | null;
  if (archive === null) {
    throw new CliError('unexpected_answer', 'The response contains no archive.');
  }
  if (file === '-') return writeTo(context.output, archive);
  const { replace = false, json = false } = options;
  const bytes = await saveToFile(context, file, archive, { replace, isQuiet: json });
  printResult(context, options, { file, bytes }, () => [
    `saved ${file} (${(bytes / mib).toFixed(1)} MiB)`,
  ]);
}

/** Writes a file atomically with progress on a terminal. Returns the number of bytes. */
async function saveToFile(
  context: CommandContext,
  file: string,
  body: AsyncIterable<Uint8Array>,
  { replace, isQuiet }: { readonly replace: boolean; readonly isQuiet: boolean },
): Promise<number> {
  const progress = context.progress();
  try {
    return await writeFileAtomically(file, body, {
      replace,
      onBytes: (bytes) => {
        if (!isQuiet) progress.count(`${Math.floor(bytes / mib)} MiB`);
      },
    });
  } finally {
    progress.end();
  }
}

/** Writes to a stream as fast as its reader accepts. */
async function writeTo(output: NodeJS.WriteStream, body: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const chunk of body) {
    await new Promise<void>((resolve, reject) =>
      output.write(chunk, (error) => (error ? reject(error) : resolve())),
    );
  }
}
