import { pipeline } from 'node:stream/promises';
import { extract, type Headers as Header } from 'tar-stream';

/** The stream is not a tar archive or is truncated. */
export class InvalidTar extends Error {
  override readonly name = 'InvalidTar';

  get isTruncated(): boolean {
    return this.message === 'Unexpected end of data';
  }
}

export interface TarEntry {
  readonly header: Header;
  /** Must be read completely before the next entry is requested. */
  readonly content: AsyncIterable<Uint8Array>;
}

/** Throws InvalidTar and the errors of the source, also while the content of an entry is read. */
export async function* readTar(source: AsyncIterable<Uint8Array>): AsyncGenerator<TarEntry> {
  const tar = extract();
  let failure: { readonly error: unknown } | null = null;
  const watched = async function* (): AsyncGenerator<Uint8Array> {
    try {
      yield* source;
    } catch (error) {
      failure = { error };
      throw error;
    }
  };
  const explain = (error: unknown): unknown =>
    failure ? failure.error : new InvalidTar((error as Error).message, { cause: error });
  const read = pipeline(watched(), tar).then(
    () => null,
    (error: unknown) => ({ error }),
  );
  try {
    for await (const entry of withExplainedErrors(tar, explain)) {
      yield {
        header: entry.header,
        content: withExplainedErrors(
          entry as AsyncIterable<unknown> as AsyncIterable<Uint8Array>,
          explain,
        ),
      };
    }
    const failed = await read;
    if (failed) throw explain(failed.error);
  } finally {
    tar.destroy();
    await read;
  }
}

async function* withExplainedErrors<T>(
  source: AsyncIterable<T>,
  explain: (error: unknown) => unknown,
): AsyncGenerator<T> {
  const chunks = source[Symbol.asyncIterator]();
  let isOver = false;
  const next = (): Promise<IteratorResult<T>> =>
    chunks.next().catch((error: unknown) => {
      isOver = true;
      throw explain(error);
    });
  try {
    for (let found = await next(); !found.done; found = await next()) yield found.value;
    isOver = true;
  } finally {
    // A stream that ended must not be destroyed, since this would destroy the archive as well.
    if (!isOver) await chunks.return?.();
  }
}
