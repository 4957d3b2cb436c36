import type { RecalledMemory } from '@mneme/contract';
import type { Tokenizer } from '../../providers/tokens/index.ts';

/** A shorter excerpt says nothing. */
const truncatedTokensMin = 16;
const sliceCharacters = 2_000;
const finerSteps = [200, 20, 4];
/** A slice alone may count this many tokens more than within the whole text. */
const joinTokensMax = 8;
/** Marks a truncated memory. */
const ellipsis = '…';

/** Writes memories one after the other while the whole stays within a token budget. */
export class PromptContextWriter {
  readonly #tokenizer: Tokenizer;
  readonly #maxTokens: number;
  readonly memories: RecalledMemory[] = [];
  readonly #entries: string[] = [];
  #tokens = 0;
  #truncated = false;

  constructor(tokenizer: Tokenizer, maxTokens: number) {
    this.#tokenizer = tokenizer;
    this.#maxTokens = maxTokens;
  }

  /**
   * Returns false when the budget is used up: a memory that is too long is truncated, and is the
   * last.
   */
  add(memory: RecalledMemory): boolean {
    const { content } = memory;
    const slices = this.#createSliceCounter(content);
    if (this.#canFit(content, slices) && this.#write(memory, content)) return true;
    this.#truncated = true;
    const remainingTokens = this.#maxTokens - this.#tokens;
    if (remainingTokens >= truncatedTokensMin)
      this.#writeTruncated(memory, remainingTokens, slices);
    return false;
  }

  /** Counts the tokens of each slice of a text once: counting a long text is slow. */
  #createSliceCounter(content: string): (i: number) => number {
    const counted: number[] = [];
    return (i) => {
      const slice = () => content.slice(i * sliceCharacters, (i + 1) * sliceCharacters);
      counted[i] ??= this.#tokenizer.count(slice());
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

  /**
   * An entry ends with an empty line and starts with a bracket, and no token of o200k spans such a
   * boundary: entries can be counted separately.
   */
  #write(memory: RecalledMemory, content: string): boolean {
    const entry = formatEntry(memory, content);
    const tokens = this.#tokenizer.count(entry);
    if (this.#tokens + tokens > this.#maxTokens) return false;
    this.#entries.push(entry);
    this.#tokens += tokens;
    this.memories.push(memory);
    return true;
  }

  #writeTruncated(
    memory: RecalledMemory,
    remainingTokens: number,
    slices: (i: number) => number,
  ): void {
    const overheadTokens = this.#tokenizer.count(formatEntry(memory, ellipsis));
    let length = this.#lengthWithin(memory.content, remainingTokens - overheadTokens, slices);
    while (length > truncatedTokensMin) {
      const prefix = truncateAtWord(memory.content, length);
      if (prefix.length > truncatedTokensMin && this.#write(memory, prefix)) return;
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
      const next = () => this.#tokenizer.count(content.slice(length, length + step));
      while (length < content.length && consume(step, next()));
    }
    return Math.min(length, content.length);
  }

  finish(): { context: string; token_count: number; truncated: boolean } {
    const context = this.#entries.join('');
    return { context, token_count: this.#tokens, truncated: this.#truncated };
  }
}

/** Cuts at a nearby space if there is one, and never within a character. */
function truncateAtWord(content: string, length: number): string {
  const cut = content.slice(0, length);
  const atSpace = cut.replace(/(?<=\s)\S{1,40}$/u, '');
  const prefix = atSpace.length > cut.length * 0.8 ? atSpace : cut;
  return `${prefix.replace(/[\uD800-\uDBFF]$/, '').trimEnd()}${ellipsis}`;
}

/** One memory: its id for citation, its time, its speaker and its content. */
function formatEntry(
  { id, occurred_at, created_at, metadata }: RecalledMemory,
  text: string,
): string {
  const day = (occurred_at ?? created_at).slice(0, 10);
  const speaker = typeof metadata.speaker === 'string' ? ` ${oneLine(metadata.speaker)}` : '';
  return `[${id}] ${day}${speaker}\n${text.trimEnd()}\n\n`;
}

const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();
