import type { RecalledMemory, RecallFormat } from '@mneme/contract';
import type { Tokenizer } from '../../providers/tokens/index.ts';
import { type ContextFormat, contextFormats } from './context-formats.ts';

/** A shorter excerpt says nothing. */
const truncatedTokensMin = 16;
const sliceCharacters = 2_000;
const finerSteps = [200, 20, 4, 1];
/** A slice alone may count this many tokens more than within the whole text. */
const joinTokensMax = 8;
/** Marks a truncated memory. */
const ellipsis = '…';

interface Entry {
  readonly memory: RecalledMemory;
  readonly ordinal: number | null;
  readonly text: string;
  /** Where another entry follows, and where none does. */
  readonly tokens: number;
  readonly tokensAsLast: number;
}

/**
 * Writes memories, best first, while the whole stays within a token budget. Memories of one
 * conversation stand together in its order, at the place of the first one added.
 */
export class PromptContextWriter {
  readonly #tokenizer: Tokenizer;
  readonly #maxTokens: number;
  readonly #format: ContextFormat;
  readonly #frameTokens: number;
  readonly #entries: Entry[] = [];
  #tokens = 0;
  #truncated = false;

  constructor(tokenizer: Tokenizer, maxTokens: number, format: RecallFormat = 'text') {
    this.#tokenizer = tokenizer;
    this.#maxTokens = maxTokens;
    this.#format = contextFormats[format];
    this.#frameTokens = tokenizer.count(this.#format.start) + tokenizer.count(this.#format.end);
  }

  /** In the order in which they were added. */
  get memories(): RecalledMemory[] {
    return this.#entries.map(({ memory }) => memory);
  }

  /**
   * Returns false when the budget is used up: of a memory that is too long, the part from the
   * passage that answers is written, and it is the last.
   * @param ordinal the place of the memory in its conversation
   */
  add(memory: RecalledMemory, ordinal: number | null = null): boolean {
    const { content } = memory;
    const slices = this.#createSliceCounter(content);
    if (this.#canFit(content, slices) && this.#write(memory, ordinal, content)) return true;
    this.#truncated = true;
    const remainingTokens = this.#maxTokens - (this.#tokens || this.#frameTokens);
    if (remainingTokens >= truncatedTokensMin)
      this.#writeTruncated(memory, ordinal, remainingTokens);
    return false;
  }

  /** Counts the tokens of each slice of a text once: counting a long text is slow. */
  #createSliceCounter(content: string): (i: number) => number {
    const counted: number[] = [];
    return (i) => {
      const slice = () => content.slice(i * sliceCharacters, (i + 1) * sliceCharacters);
      counted[i] ??= this.#tokenizer.count(this.#format.escape(slice()));
      return counted[i];
    };
  }

  /** False only if the first slices are too long however they join. */
  #canFit(content: string, tokensOfSlice: (i: number) => number): boolean {
    let least = this.#tokens;
    for (let i = 0; (i + 1) * sliceCharacters < content.length; i += 1) {
      least += tokensOfSlice(i) - joinTokensMax;
      if (least > this.#maxTokens) return false;
    }
    return true;
  }

  #write(memory: RecalledMemory, ordinal: number | null, content: string): boolean {
    const { formatEntry, separator, lastSeparator } = this.#format;
    const text = formatEntry(memory, content);
    const tokens = this.#tokenizer.count(text + separator);
    const tokensAsLast =
      separator === lastSeparator ? tokens : this.#tokenizer.count(text + lastSeparator);
    const entry = { memory, ordinal, text, tokens, tokensAsLast };
    const total = this.#countTokens([...this.#entries, entry]);
    if (total > this.#maxTokens) return false;
    this.#entries.push(entry);
    this.#tokens = total;
    return true;
  }

  #countTokens(entries: readonly Entry[]): number {
    const last = this.#inOrder(entries).at(-1);
    const sum = entries.reduce((all, { tokens }) => all + tokens, this.#frameTokens);
    return last ? sum - last.tokens + last.tokensAsLast : 0;
  }

  #writeTruncated(memory: RecalledMemory, ordinal: number | null, remainingTokens: number): void {
    const start = memory.passage?.start ?? 0;
    const from = memory.content.slice(start);
    const head = start > 0 ? ellipsis : '';
    const overhead = this.#format.formatEntry(memory, head + ellipsis);
    const overheadTokens = this.#tokenizer.count(overhead);
    const isNeeded = this.#format.isRankedList === true && this.#entries.length === 0;
    const charactersMin = isNeeded ? 0 : truncatedTokensMin;
    const slices = this.#createSliceCounter(from);
    let length = this.#lengthWithin(from, remainingTokens - overheadTokens, slices);
    while (length > charactersMin) {
      const part = head + truncateAtWord(from, length);
      if (part.length > charactersMin && this.#write(memory, ordinal, part)) return;
      length = Math.floor(length * 0.95);
    }
  }

  /** Length of the prefix that has about this many tokens, in characters. */
  #lengthWithin(
    content: string,
    remainingTokens: number,
    tokensOfSlice: (i: number) => number,
  ): number {
    let remaining = remainingTokens;
    let length = 0;
    const consume = (step: number, tokens: number): boolean => {
      if (tokens > remaining) return false;
      remaining -= tokens;
      length += step;
      return length < content.length;
    };
    for (let i = 0; consume(sliceCharacters, tokensOfSlice(i)); i += 1);
    // Ever finer steps: the token density of a text varies.
    for (const step of finerSteps) {
      const part = () => this.#format.escape(content.slice(length, length + step));
      const next = () => this.#tokenizer.count(part());
      while (length < content.length && consume(step, next()));
    }
    return Math.min(length, content.length);
  }

  #inOrder(entries: readonly Entry[]): Entry[] {
    return this.#format.isRankedList ? withOutdatedLast(entries) : inConversations(entries);
  }

  finish(): { context: string; token_count: number; truncated: boolean } {
    const { start, end, separator, lastSeparator } = this.#format;
    const texts = this.#inOrder(this.#entries).map(({ text }) => text);
    const context =
      texts.length === 0 ? '' : `${start}${texts.join(separator)}${lastSeparator}${end}`;
    return { context, token_count: this.#tokens, truncated: this.#truncated };
  }
}

/** Entries of a conversation together, in its order. */
function inConversations(entries: readonly Entry[]): Entry[] {
  const groups = Map.groupBy(entries, ({ memory }) => memory.session_id ?? memory.id);
  return [...groups.values()].flatMap((group) =>
    group.toSorted((a, b) => (a.ordinal ?? 0) - (b.ordinal ?? 0)),
  );
}

const withOutdatedLast = (entries: readonly Entry[]): Entry[] => {
  const isCurrent = ({ memory }: Entry): boolean => memory.outdated_by === null;
  return [...entries.filter(isCurrent), ...entries.filter((entry) => !isCurrent(entry))];
};

/** Cuts at a nearby space if there is one, and never within a character. */
function truncateAtWord(content: string, length: number): string {
  if (length >= content.length) return content;
  const cut = content.slice(0, length);
  const atSpace = cut.replace(/(?<=\s)\S{1,40}$/u, '');
  const prefix = atSpace.length > cut.length * 0.8 ? atSpace : cut;
  return `${prefix.replace(/[\uD800-\uDBFF]$/, '').trimEnd()}${ellipsis}`;
}
