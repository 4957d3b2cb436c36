import { planLimits, utf8Bytes } from '@mneme/contract';
import type { Ctx, TxCtx } from '../../ctx.ts';
import {
  changeMemory,
  embedContents,
  findMemory,
  hashContent,
  referenceTimeOf,
} from '../../memories/index.ts';

/** Between the title of a recording and its words. */
const separator = '\n\n';

/**
 * The content of a recording's memory: its title, and from the transcript on its words below. What
 * somebody has written there meanwhile is left alone: null.
 * @param former the words that the content has now; null before the first transcript
 */
export function mergeTranscript(
  content: string,
  { former, words }: { former: string | null; words: string },
  bytesMax: number,
): string | null {
  const title = extractTitle(content, former, bytesMax);
  if (title === null) return null;
  return words === '' ? title : joinTitleAndWords(title, words, bytesMax);
}

/** Words were cut at the limit of the plan that the account had then. */
const planContentBytes = Object.values(planLimits).map((plan) => plan.content_bytes);

function extractTitle(content: string, former: string | null, bytesMax: number): string | null {
  if (former === null || former === '') return content;
  // A transcript is one line, so the last gap is the one before it.
  const at = content.lastIndexOf(separator);
  const title = content.slice(0, Math.max(0, at));
  const isOurs =
    at >= 0 &&
    [bytesMax, ...planContentBytes].some(
      (max) => joinTitleAndWords(title, former, max) === content,
    );
  if (isOurs) return title;
  // Where there was no room for any word, all of it is the title.
  return joinTitleAndWords(content, former, bytesMax) === content ? content : null;
}

/** As many of the words as the plan lets a memory hold. */
function joinTitleAndWords(title: string, words: string, bytesMax: number): string {
  const room = bytesMax - utf8Bytes(title) - utf8Bytes(separator);
  const fitting = room > 0 ? truncateUtf8(words, room) : '';
  return fitting === '' ? title : `${title}${separator}${fitting}`;
}

/** So far back no character begins: the longest are families of emoji. */
const graphemeMax = 64;
const characters = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** The beginning of a text, in so many bytes of UTF-8, ending with a whole character. */
function truncateUtf8(text: string, bytesMax: number): string {
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(bytesMax));
  if (read === text.length) return text;
  const from = Math.max(0, read - graphemeMax);
  const near = characters.segment(text.slice(from, read + graphemeMax).toWellFormed());
  const begin = near.containing(read - from)?.index ?? 0;
  return text.slice(0, begin === 0 ? read : from + begin).trimEnd();
}

/** Embeds the new content before anything is locked; `save` writes it. As contentWith. */
export async function prepareContentUpdate(
  ctx: Ctx,
  id: string,
  said: { former: string | null; words: string },
  bytesMax: number,
): Promise<{ save(inTx: TxCtx): Promise<void> }> {
  const memory = await findMemory(ctx.engine.db, ctx.actor.accountId, id);
  const text = memory && mergeTranscript(memory.content, said, bytesMax);
  if (!memory || text === null || text === undefined || text === memory.content) {
    return { save: async () => undefined };
  }
  const [content] = await embedContents(ctx, [
    { content: text, occurred_at: referenceTimeOf(memory) },
  ]);
  return {
    async save(inTx) {
      await changeMemory(inTx, id, { ifMatch: null, content }, (before) =>
        before.content === memory.content
          ? { ...before, content: text, content_hash: before.content_hash && hashContent(text) }
          : before,
      );
    },
  };
}
