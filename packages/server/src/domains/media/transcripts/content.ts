import { planLimits, utf8Bytes } from '@mneme/contract';
import type { Ctx, TxCtx } from '../../ctx.ts';
import {
  changeMemory,
  embedContents,
  findMemory,
  hashContent,
  referenceTimeOf,
} from '../../memories/index.ts';

/** Between the title of a recording and its transcript. */
const separator = '\n\n';

/**
 * Builds the content of a recording's memory: the title, then the transcript. Returns null if a
 * user has edited the content, which must not be overwritten.
 * @param previous the transcript in the current content; null before the first transcript
 */
export function mergeTranscript(
  content: string,
  { previous, words }: { previous: string | null; words: string },
  bytesMax: number,
): string | null {
  const title = extractTitle(content, previous, bytesMax);
  if (title === null) return null;
  return words === '' ? title : joinTitleAndWords(title, words, bytesMax);
}

/** The previous transcript was truncated at the limit of the plan that the account had then. */
const planContentBytes = Object.values(planLimits).map((plan) => plan.content_bytes);

function extractTitle(content: string, previous: string | null, bytesMax: number): string | null {
  if (previous === null || previous === '') return content;
  // A transcript is a single line, so the last separator precedes it.
  const index = content.lastIndexOf(separator);
  const title = content.slice(0, Math.max(0, index));
  const isUnmodified =
    index >= 0 &&
    [bytesMax, ...planContentBytes].some(
      (max) => joinTitleAndWords(title, previous, max) === content,
    );
  if (isUnmodified) return title;
  // If the title left no space for the transcript, the whole content is the title.
  return joinTitleAndWords(content, previous, bytesMax) === content ? content : null;
}

/** Truncates the transcript to the content limit of the plan. */
function joinTitleAndWords(title: string, words: string, bytesMax: number): string {
  const remainingBytes = bytesMax - utf8Bytes(title) - utf8Bytes(separator);
  const fitting = remainingBytes > 0 ? truncateUtf8(words, remainingBytes) : '';
  return fitting === '' ? title : `${title}${separator}${fitting}`;
}

/** Longer than any grapheme in use; the longest are emoji of families. */
const graphemeMax = 64;
const characters = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** Truncates a text to a number of UTF-8 bytes without splitting a grapheme. */
function truncateUtf8(text: string, bytesMax: number): string {
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(bytesMax));
  if (read === text.length) return text;
  const from = Math.max(0, read - graphemeMax);
  const graphemes = characters.segment(text.slice(from, read + graphemeMax).toWellFormed());
  const begin = graphemes.containing(read - from)?.index ?? 0;
  return text.slice(0, begin === 0 ? read : from + begin).trimEnd();
}

/** Embeds the new content before any row is locked; `save` writes it in a transaction. */
export async function prepareContentUpdate(
  ctx: Ctx,
  id: string,
  transcripts: { previous: string | null; words: string },
  bytesMax: number,
): Promise<{ save(inTx: TxCtx): Promise<void> }> {
  const memory = await findMemory(ctx, id);
  const text = memory && mergeTranscript(memory.content, transcripts, bytesMax);
  if (!memory || text === null || text === undefined || text === memory.content) {
    return { save: async () => undefined };
  }
  const at = referenceTimeOf(memory);
  const [content] = await embedContents(ctx, [{ content: text, occurred_at: at }], 'provisional');
  const analysed = content && { content, text, at };
  return {
    async save(inTx) {
      await changeMemory(inTx, id, { ifMatch: null, analysed }, (before) =>
        before.content === memory.content
          ? { ...before, content: text, content_hash: before.content_hash && hashContent(text) }
          : before,
      );
    },
  };
}
