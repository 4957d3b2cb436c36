import type { Kept } from '../../../providers/blobs/index.ts';
import type { App } from '../../ctx.ts';

/** A file that has arrived: its bytes are a blob that no row names yet. */
export interface Arrived extends Kept {
  readonly filename: string | null;
}

/** Tab, line breaks, form feed and escape: the control characters that texts do have. */
const textControls = [9, 10, 12, 13, 27];

/** UTF-8 can say any of these; what holds others is no text. */
function isPlain(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte >= 32 || textControls.includes(byte));
}

/**
 * The file as a text, where its bytes are one: UTF-8 without control characters, with or without a
 * byte order mark. Null: they are something else. `begins`: only of the first `bytesMax` bytes.
 */
export async function textOf(
  { blobs }: Pick<App, 'blobs'>,
  { name, bytes }: Arrived,
  bytesMax: number,
): Promise<string | null> {
  const end = Math.min(bytes, bytesMax) - 1;
  const pieces: Uint8Array[] = [];
  for await (const piece of blobs.read(name, { start: 0, end })) pieces.push(piece);
  const head = Buffer.concat(pieces);
  try {
    // The last character of a part may be cut in two.
    const text = new TextDecoder('utf-8', { fatal: true }).decode(head, {
      stream: bytes > bytesMax,
    });
    return isPlain(head) ? text : null;
  } catch {
    return null;
  }
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
