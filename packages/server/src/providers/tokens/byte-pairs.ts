import { readFile } from 'node:fs/promises';
import { MinHeap } from './min-heap.ts';

/** See `assets/tokens/README.md` for the format. */
const tokensFile = new URL('../../../assets/tokens/o200k_base.bin', import.meta.url);

const contraction = "(?:'[sS]|'[dD]|'[mM]|'[tT]|'[lL][lL]|'[vV][eE]|'[rR][eE])?";
const upper = String.raw`[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]`;
const lower = String.raw`[\p{Ll}\p{Lm}\p{Lo}\p{M}]`;
const before = String.raw`[^\r\n\p{L}\p{N}]?`;

/** A token never crosses the border of these pieces; from tiktoken's o200k_base. */
const piece = new RegExp(
  [
    `${before}${upper}*${lower}+${contraction}`,
    `${before}${upper}+${lower}*${contraction}`,
    String.raw`\p{N}{1,3}`,
    String.raw` ?[^\s\p{L}\p{N}]+[\r\n/]*`,
    String.raw`\s*[\r\n]+`,
    String.raw`\s+(?!\S)`,
    String.raw`\s+`,
  ].join('|'),
  'gu',
);

const cachedPiecesMax = 10_000;
/** Positions in a piece; with a rank they fit in a double's 53 bits. */
const positionsMax = 2 ** 32;

/**
 * Counts tokens by byte-pair encoding: the neighbours whose union has the lowest rank are joined
 * until no union is a token. Strings have a character for each byte of the text in UTF-8.
 */
export class BytePairCounter {
  readonly #ranks: ReadonlyMap<string, number>;
  /** Of pieces that are no token, the oldest first. */
  readonly #cache = new Map<string, number>();

  constructor(ranks: ReadonlyMap<string, number>) {
    this.#ranks = ranks;
  }

  count(text: string): number {
    let total = 0;
    for (const [characters] of text.matchAll(piece)) total += this.#countPiece(characters);
    return total;
  }

  #countPiece(characters: string): number {
    const known = this.#cache.get(characters);
    if (known !== undefined) return known;
    const bytes = Buffer.from(characters).toString('latin1');
    if (this.#ranks.has(bytes)) return 1;
    const count = this.#countJoined(bytes);
    this.#cache.set(characters, count);
    if (this.#cache.size > cachedPiecesMax) {
      for (const oldest of this.#cache.keys()) {
        this.#cache.delete(oldest);
        break;
      }
    }
    return count;
  }

  /** The number of tokens that a piece of several tokens has. */
  #countJoined(bytes: string): number {
    const end = bytes.length;
    /** Of each token by its start: where the next one starts, and the one before. */
    const next = Int32Array.from({ length: end }, (_, i) => i + 1);
    const previous = Int32Array.from({ length: end + 1 }, (_, i) => i - 1);
    /** The rank of each token joined with the next one; -1 where that is no token. */
    const ranks = new Int32Array(end).fill(-1);
    const due = new MinHeap();
    const rank = (at: number): void => {
      const following = next[at] as number;
      const found = following < end ? this.#ranks.get(bytes.slice(at, next[following])) : undefined;
      ranks[at] = found ?? -1;
      // The lowest rank first; of equal ranks the first place.
      if (found !== undefined) due.push(found * positionsMax + at);
    };
    for (let i = 0; i < end; i += 1) rank(i);
    let count = end;
    for (let key = due.pop(); key !== undefined; key = due.pop()) {
      const at = key % positionsMax;
      // A token that was joined meanwhile has another rank, or none.
      if (ranks[at] !== Math.floor(key / positionsMax)) continue;
      const joined = next[at] as number;
      const following = next[joined] as number;
      next[at] = following;
      previous[following] = at;
      ranks[joined] = -1;
      count -= 1;
      rank(at);
      if (at > 0) rank(previous[at] as number);
    }
    return count;
  }
}

/** The tokens of o200k and their ranks. */
export async function readTokenRanks(): Promise<Map<string, number>> {
  const file = await readFile(tokensFile);
  const ranks = new Map<string, number>();
  for (let at = 0; at < file.length; ) {
    const from = at + 1;
    at = from + file.readUInt8(at);
    ranks.set(file.toString('latin1', from, at), ranks.size);
  }
  return ranks;
}
