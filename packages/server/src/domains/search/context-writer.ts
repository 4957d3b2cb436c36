import type { RecalledMemory } from '@mneme/contract';
import type { Tokenizer } from '../../providers/tokens/index.ts';

/** A piece shorter than this says nothing. */
const pieceTokensMin = 16;
const slicesCharacters = [2_000, 200, 20, 4];
/** Said where a memory was cut. */
const cutMark = '…';

/** Writes memories one after the other as long as the whole stays within a budget of tokens. */
export class ContextWriter {
  readonly #tokenizer: Tokenizer;
  readonly #max: number;
  readonly memories: RecalledMemory[] = [];
  readonly #entries: string[] = [];
  #tokens = 0;
  #truncated = false;

  constructor(tokenizer: Tokenizer, maxTokens: number) {
    this.#tokenizer = tokenizer;
    this.#max = maxTokens;
  }

  /** False when the budget is used up: a memory that is too long is cut, and is the last one. */
  add(memory: RecalledMemory): boolean {
    if (this.#fits(memory.content) && this.#write(memory, memory.content)) return true;
    this.#truncated = true;
    const room = this.#max - this.#tokens;
    if (room >= pieceTokensMin) this.#writePiece(memory, room);
    return false;
  }

  /** A beginning of the text tells when the whole is far too long. */
  #fits(content: string): boolean {
    const most = (this.#max - this.#tokens) * 8;
    return content.length <= most || this.#tokenizer.count(content.slice(0, most)) <= this.#max;
  }

  /**
   * An entry ends with an empty line and begins with a bracket, and no token of o200k reaches
   * over such a seam: entries can be counted one by one.
   */
  #write(memory: RecalledMemory, content: string): boolean {
    const entry = entryOf(memory, content);
    const tokens = this.#tokenizer.count(entry);
    if (this.#tokens + tokens > this.#max) return false;
    this.#entries.push(entry);
    this.#tokens += tokens;
    this.memories.push(memory);
    return true;
  }

  #writePiece(memory: RecalledMemory, room: number): void {
    const frame = this.#tokenizer.count(entryOf(memory, cutMark));
    let length = this.#lengthWithin(memory.content, room - frame);
    while (length > pieceTokensMin) {
      const piece = beginningOf(memory.content, length);
      if (piece.length > pieceTokensMin && this.#write(memory, piece)) return;
      length = Math.floor(length * 0.95);
    }
  }

  /** Characters from the beginning that take about so many tokens. */
  #lengthWithin(content: string, room: number): number {
    let left = room;
    let length = 0;
    // Ever finer: a text may be dense here and loose there.
    for (const step of slicesCharacters) {
      while (length < content.length) {
        const tokens = this.#tokenizer.count(content.slice(length, length + step));
        if (tokens > left) break;
        left -= tokens;
        length += step;
      }
    }
    return Math.min(length, content.length);
  }

  finish(): { context: string; token_count: number; truncated: boolean } {
    const context = this.#entries.join('');
    return { context, token_count: this.#tokens, truncated: this.#truncated };
  }
}

/** Cut at a space where one is near, and never within a character. */
function beginningOf(content: string, length: number): string {
  const cut = content.slice(0, length);
  const atSpace = cut.replace(/(?<=\s)\S{1,40}$/u, '');
  const kept = atSpace.length > cut.length * 0.8 ? atSpace : cut;
  return `${kept.replace(/[\uD800-\uDBFF]$/, '').trimEnd()}${cutMark}`;
}

/** One memory: its id to cite it by, when it happened, who said it, and what it says. */
function entryOf({ id, occurred_at, created_at, metadata }: RecalledMemory, text: string): string {
  const day = (occurred_at ?? created_at).slice(0, 10);
  const speaker = typeof metadata.speaker === 'string' ? ` ${oneLine(metadata.speaker)}` : '';
  return `[${id}] ${day}${speaker}\n${text.trimEnd()}\n\n`;
}

const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();
