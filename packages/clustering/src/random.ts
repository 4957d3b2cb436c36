/** A number 0 ≤ x < 1. */
export type Random = () => number;

/** The same sequence for the same seed. Tommy Ettinger's mulberry32. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Draws this many of the numbers below `count`, each equally likely, in ascending order. */
export function sampleRows(count: number, size: number, random: Random): Uint32Array<ArrayBuffer> {
  const drawn = new Uint32Array(Math.min(count, size));
  // Knuth's algorithm S (The Art of Computer Programming 2, 3.4.2): one pass, in order.
  for (let row = 0, selected = 0; selected < drawn.length; row += 1) {
    if (random() * (count - row) < drawn.length - selected) {
      drawn[selected] = row;
      selected += 1;
    }
  }
  return drawn;
}
