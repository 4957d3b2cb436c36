import { writeFileAtomically } from './atomic-file.ts';
import type { CommandContext } from './context.ts';
import { UsageError } from './errors.ts';

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

/** Writes a file atomically with progress on a terminal. Returns the number of bytes. */
export async function saveToFile(
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
export async function writeTo(
  output: NodeJS.WriteStream,
  body: AsyncIterable<Uint8Array>,
): Promise<void> {
  for await (const chunk of body) {
    await new Promise<void>((resolve, reject) =>
      output.write(chunk, (error) => (error ? reject(error) : resolve())),
    );
  }
}
