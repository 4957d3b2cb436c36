import { type CosineMap, mapCosine } from './cosine-map.ts';

/** y = intercept + slope · x. */
export interface Line {
  readonly slope: number;
  readonly intercept: number;
}

export const identityLine: Line = { slope: 1, intercept: 0 };

/** The least-squares line of a map over some cosines, at least two different ones. */
export function fitLine(map: CosineMap, cosines: ArrayLike<number>): Line {
  let [sum, mappedSum, squares, products] = [0, 0, 0, 0];
  for (let i = 0; i < cosines.length; i += 1) {
    const x = cosines[i] as number;
    const y = mapCosine(map, x);
    sum += x;
    mappedSum += y;
    squares += x * x;
    products += x * y;
  }
  const [mean, mappedMean] = [sum / cosines.length, mappedSum / cosines.length];
  const variance = squares / cosines.length - mean ** 2;
  if (variance < 1e-9) return { slope: 0, intercept: mappedMean };
  const slope = (products / cosines.length - mean * mappedMean) / variance;
  return { slope, intercept: mappedMean - slope * mean };
}
