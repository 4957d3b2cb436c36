import { readFile } from 'node:fs/promises';

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

/**
 * Counts tokens by byte-pair encoding: the neighbours whose union has the lowest rank are joined
 * until no union is a token. Strings have a character for each byte of the text in UTF-8. The time
 * is quadratic in the length of a piece.
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
    const starts = Array.from({ length: bytes.length + 1 }, (_, i) => i);
    const rankAt = (i: number): number =>
      this.#ranks.get(bytes.slice(starts[i], starts[i + 2])) ?? Number.POSITIVE_INFINITY;
    /** Of each token joined with the next one. */
    const ranks = Array.from({ length: bytes.length - 1 }, (_, i) => rankAt(i));
    for (;;) {
      let best = -1;
      let lowest = Number.POSITIVE_INFINITY;
      for (const [i, rank] of ranks.entries()) {
        if (rank < lowest) [best, lowest] = [i, rank];
      }
      if (best < 0) return ranks.length + 1;
      starts.splice(best + 1, 1);
      ranks.splice(best, 1);
      if (best < ranks.length) ranks[best] = rankAt(best);
      if (best > 0) ranks[best - 1] = rankAt(best - 1);
    }
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
