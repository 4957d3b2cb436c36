import type { RecalledMemory } from '@mneme/contract';
import type { Tokenizer } from '../../providers/tokens/index.ts';

/** A piece shorter than this says nothing. */
const truncatedTokensMin = 16;
const sliceCharacters = 2_000;
const finerSteps = [200, 20, 4];
/** By so many a slice may count higher than it does within the whole text. */
const joinTokensMax = 8;
/** Said where a memory was cut. */
const ellipsis = '…';

/** Writes memories one after the other as long as the whole stays within a budget of tokens. */
export class ContextWriter {
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

  /** False when the budget is used up: a memory that is too long is cut, and is the last one. */
  add(memory: RecalledMemory): boolean {
    const { content } = memory;
    const slices = this.#createSliceCounter(content);
    if (this.#canFit(content, slices) && this.#write(memory, content)) return true;
    this.#truncated = true;
    const room = this.#maxTokens - this.#tokens;
    if (room >= truncatedTokensMin) this.#writeTruncated(memory, room, slices);
    return false;
  }

  /** The tokens of each slice of a text, counted once: a long one takes its time. */
  #createSliceCounter(content: string): (i: number) => number {
    const counted: number[] = [];
    return (i) => {
      const slice = () => content.slice(i * sliceCharacters, (i + 1) * sliceCharacters);
      counted[i] ??= this.#tokenizer.count(slice());
      return counted[i];
    };
  }

  /** False only where the beginning is too long already, however its slices would join. */
  #canFit(content: string, tokensOfSlice: (i: number) => number): boolean {
    let least = this.#tokens;
    for (let i = 0; (i + 1) * sliceCharacters < content.length; i += 1) {
      least += tokensOfSlice(i) - joinTokensMax;
      if (least > this.#maxTokens) return false;
    }
    return true;
  }

  /**
   * An entry ends with an empty line and begins with a bracket, and no token of o200k reaches
   * over such a seam: entries can be counted one by one.
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

  #writeTruncated(memory: RecalledMemory, room: number, slices: (i: number) => number): void {
    const frame = this.#tokenizer.count(formatEntry(memory, ellipsis));
    let length = this.#lengthWithin(memory.content, room - frame, slices);
    while (length > truncatedTokensMin) {
      const piece = truncateAtWord(memory.content, length);
      if (piece.length > truncatedTokensMin && this.#write(memory, piece)) return;
      length = Math.floor(length * 0.95);
    }
  }

  /** Characters from the beginning that take about so many tokens. */
  #lengthWithin(content: string, room: number, tokensOfSlice: (i: number) => number): number {
    let left = room;
    let length = 0;
    const take = (step: number, tokens: number): boolean => {
      if (tokens > left) return false;
      left -= tokens;
      length += step;
      return length < content.length;
    };
    for (let i = 0; take(sliceCharacters, tokensOfSlice(i)); i += 1);
    // Ever finer: a text may be dense here and loose there.
    for (const step of finerSteps) {
      const next = () => this.#tokenizer.count(content.slice(length, length + step));
      while (length < content.length && take(step, next()));
    }
    return Math.min(length, content.length);
  }

  finish(): { context: string; token_count: number; truncated: boolean } {
    const context = this.#entries.join('');
    return { context, token_count: this.#tokens, truncated: this.#truncated };
  }
}

/** Cut at a space where one is near, and never within a character. */
function truncateAtWord(content: string, length: number): string {
  const cut = content.slice(0, length);
  const atSpace = cut.replace(/(?<=\s)\S{1,40}$/u, '');
  const kept = atSpace.length > cut.length * 0.8 ? atSpace : cut;
  return `${kept.replace(/[\uD800-\uDBFF]$/, '').trimEnd()}${ellipsis}`;
}

/** One memory: its id to cite it by, when it happened, who said it, and what it says. */
function formatEntry(
  { id, occurred_at, created_at, metadata }: RecalledMemory,
  text: string,
): string {
  const day = (occurred_at ?? created_at).slice(0, 10);
  const speaker = typeof metadata.speaker === 'string' ? ` ${oneLine(metadata.speaker)}` : '';
  return `[${id}] ${day}${speaker}\n${text.trimEnd()}\n\n`;
}

const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();
