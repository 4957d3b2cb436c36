import type { StoredBlob } from '../../../providers/blobs/index.ts';
import { decodePlainText } from '../../../text/decode-plain-text.ts';
import type { App } from '../../ctx.ts';

/** A file that has arrived: its bytes are a blob that no row names yet. */
export interface UploadedFile extends StoredBlob {
  readonly filename: string | null;
}

/**
 * The file as a text, where its bytes are one, of the first `bytesMax` bytes alone. Null: they are
 * something else.
 */
export async function readTextFile(
  { blobs }: Pick<App, 'blobs'>,
  { name, bytes }: UploadedFile,
  bytesMax: number,
): Promise<string | null> {
  const end = Math.min(bytes, bytesMax) - 1;
  const pieces: Uint8Array[] = [];
  for await (const piece of blobs.read(name, { start: 0, end })) pieces.push(piece);
  return decodePlainText(Buffer.concat(pieces), { isCut: bytes > bytesMax, withEscapes: true });
}

const markdownSigns = [
  /^#{1,6} \S/m,
  /^(?:```|~~~)/m,
  /^[-*+] \[[ x]\] /m,
  /\[[^\]\n]+\]\([^)\s]+\)/,
  /^\|.*\|\s*\n\|[ :|-]+\|/m,
];

/** Told by its signs, not by its name: a heading, a fence, a task, a link or a table. */
export const isMarkdown = (text: string): boolean => markdownSigns.some((sign) => sign.test(text));
