import { decodePlainText } from '@mneme/text';
import type { StoredBlob } from '../../../providers/blobs/index.ts';
import type { App } from '../../ctx.ts';

/** A received file, stored as a blob that no row references yet. */
export interface UploadedFile extends StoredBlob {
  readonly filename: string | null;
}

/**
 * Decodes the first `bytesMax` bytes of the file as text. Returns null if they are not text.
 */
export async function readTextFile(
  { blobs }: Pick<App, 'blobs'>,
  { name, bytes }: UploadedFile,
  bytesMax: number,
): Promise<string | null> {
  const end = Math.min(bytes, bytesMax) - 1;
  const chunks: Uint8Array[] = [];
  for await (const chunk of blobs.read(name, { start: 0, end })) chunks.push(chunk);
  return decodePlainText(Buffer.concat(chunks), { isCut: bytes > bytesMax, withEscapes: true });
}

const markdownPatterns = [
  /^#{1,6} \S/m,
  /^(?:```|~~~)/m,
  /^[-*+] \[[ x]\] /m,
  /\[[^\]\n]+\]\([^)\s]+\)/,
  /^\|.*\|\s*\n\|[ :|-]+\|/m,
];

/** Detects Markdown by its syntax, not by the file name. */
export const isMarkdown = (text: string): boolean =>
  markdownPatterns.some((pattern) => pattern.test(text));
