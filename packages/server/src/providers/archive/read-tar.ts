import { pipeline } from 'node:stream/promises';
import { extract, type Header } from 'tar-stream';

/** The stream is no tar archive, or breaks off. */
export class InvalidTar extends Error {
  override readonly name = 'TarInvalid';

  get isTruncated(): boolean {
    return this.message === 'Unexpected end of data';
  }
}

export interface TarEntry {
  readonly header: Header;
  /** Has to be read to its end before the next entry is asked for. */
  readonly content: AsyncIterable<Uint8Array>;
}

/** Throws TarInvalid, and what the source throws. So does the content of each entry. */
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
    for await (const entry of explained(tar, explain)) {
      yield {
        header: entry.header,
        content: explained(entry as AsyncIterable<unknown> as AsyncIterable<Uint8Array>, explain),
      };
    }
    const failed = await read;
    if (failed) throw explain(failed.error);
  } finally {
    tar.destroy();
    await read;
  }
}

async function* explained<T>(
  source: AsyncIterable<T>,
  explain: (error: unknown) => unknown,
): AsyncGenerator<T> {
  const pieces = source[Symbol.asyncIterator]();
  let isOver = false;
  const next = (): Promise<IteratorResult<T>> =>
    pieces.next().catch((error: unknown) => {
      isOver = true;
      throw explain(error);
    });
  try {
    for (let found = await next(); !found.done; found = await next()) yield found.value;
    isOver = true;
  } finally {
    // A stream that ended by itself must not be destroyed: the archive would go with it.
    if (!isOver) await pieces.return?.();
  }
}
