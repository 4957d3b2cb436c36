/** BM25's saturation and length normalisation; sessions and whole texts have their own. */
export const k1 = 1.2;
export const passageB = 0.7;
export const sessionB = 0.4;
export const wholeB = 0.75;

/** @param lengthShare of the mean length */
export const saturation = (x: number, lengthShare: number, normalisation: number): number =>
  (x * (k1 + 1)) / (x + k1 * (1 - normalisation + normalisation * lengthShare));
