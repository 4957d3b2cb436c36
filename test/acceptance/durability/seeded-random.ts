/** Chance that repeats: the same seed gives the same choices (mulberry32). */
export interface SeededRandom {
  /** In [0, 1). */
  fraction(): number;
  /** From `from` to `to`, both included. */
  integer(from: number, to: number): number;
  pick<T>(from: readonly T[]): T;
}

export function createSeededRandom(seed: number): SeededRandom {
  let state = seed >>> 0;
  const fraction = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const integer = (from: number, to: number): number =>
    from + Math.floor(fraction() * (to - from + 1));
  return {
    fraction,
    integer,
    pick<T>(from: readonly T[]): T {
      if (from.length === 0) throw new Error('nothing to pick from');
      return from[integer(0, from.length - 1)] as T;
    },
  };
}

const letters = 'bcdfghjklmnpqrtvwxz';

/** A word of no language, the same for the same number: no stemmer takes two for one. */
export function rareWord(number: number): string {
  let rest = number;
  let word = '';
  do {
    word = `${letters[rest % letters.length]}${word}`;
    rest = Math.floor(rest / letters.length);
  } while (rest > 0);
  return `qx${word.padStart(5, 'b')}k`;
}
