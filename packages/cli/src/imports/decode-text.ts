import { CliError } from '../errors.ts';

/** Bytes of a file that are not text of its encoding. */
export class InvalidEncoding extends CliError {
  constructor(name: string, encoding: string) {
    const hint = encoding === 'utf-8' ? ' Give its encoding, such as --encoding windows-1252.' : '';
    super('invalid_encoding', `${name} is not valid ${encoding.toUpperCase()} text.${hint}`);
  }
}

const sniffedBytes = 4;

/** By a byte order mark, or by the zeros of ASCII characters in UTF-16; null: not to be seen. */
function sniffEncoding([a, b, c, d]: Uint8Array): string | null {
  if (a === 0xff && b === 0xfe) return 'utf-16le';
  if (a === 0xfe && b === 0xff) return 'utf-16be';
  if (a && b === 0 && c && d === 0) return 'utf-16le';
  if (a === 0 && b && c === 0 && d) return 'utf-16be';
  return null;
}

/**
 * The text of a file in pieces, without a byte order mark. `encoding`: a label of the Encoding
 * Standard; null: UTF-16 if it looks like it, else UTF-8. Throws InvalidEncoding.
 */
export async function* decodeText(
  name: string,
  bytes: AsyncIterable<Uint8Array>,
  encoding: string | null,
): AsyncGenerator<string> {
  let head: Uint8Array = new Uint8Array();
  let decoder: InstanceType<typeof TextDecoder> | null = null;
  const decode = (chunk: Uint8Array, isLast: boolean): string => {
    decoder ??= new TextDecoder(encoding ?? sniffEncoding(head) ?? 'utf-8', { fatal: true });
    try {
      return decoder.decode(chunk, { stream: !isLast });
    } catch {
      // The decoder's message has no more information.
      throw new InvalidEncoding(name, decoder.encoding);
    }
  };
  for await (const chunk of bytes) {
    if (decoder === null) {
      head = head.length === 0 ? chunk : Buffer.concat([head, chunk]);
      if (head.length >= sniffedBytes) yield decode(head, false);
    } else yield decode(chunk, false);
  }
  const isDecoded = decoder !== null;
  yield decode(isDecoded ? new Uint8Array() : head, true);
}
