import { nthLargest } from './order.ts';
import type { Scorer } from './score.ts';

/** Documents with their evidence, and those that were left out. */
export interface EvaluatedDocuments {
  readonly documents: Int32Array;
  readonly sortValues: Float64Array;
  /** Not evaluated. */
  readonly rest: Int32Array;
  /** By position in `rest`: each has at most this evidence. */
  readonly limits: Float64Array;
  /** The evidence of everything in `rest` is smaller. */
  readonly least: number;
}

/**
 * Evaluates the documents that may be among the first `count`. An upper limit of the evidence costs
 * little: most documents cannot reach those with the largest limits (Turtle & Flood 1995).
 * @param required is evaluated in any case
 */
export function evaluateTop(
  scorer: Scorer,
  documents: Int32Array,
  count: number,
  required?: ReadonlySet<number>,
): EvaluatedDocuments {
  if (documents.length <= count) return evaluateAll(scorer, documents);
  const limits = new Float64Array(documents.length);
  for (let i = 0; i < limits.length; i += 1) {
    limits[i] = scorer.evidenceLimit(documents[i] as number);
  }
  const probable = nthLargest(limits, count);
  const first = new Float64Array(count);
  const positions: number[] = [];
  for (let i = 0; i < limits.length && positions.length < count; i += 1) {
    if ((limits[i] as number) < probable) continue;
    first[positions.length] = scorer.evidence(documents[i] as number);
    positions.push(i);
  }
  // So many have this evidence at least.
  const least = nthLargest(first, count);
  const evaluated: number[] = [];
  const sortValues: number[] = [];
  const rest = new Int32Array(documents.length);
  let [next, restCount] = [0, 0];
  for (let i = 0; i < limits.length; i += 1) {
    const document = documents[i] as number;
    if (positions[next] === i) {
      evaluated.push(document);
      sortValues.push(first[next] as number);
      next += 1;
    } else if ((limits[i] as number) >= least || required?.has(document)) {
      evaluated.push(document);
      sortValues.push(scorer.evidence(document));
    } else {
      rest[restCount] = document;
      limits[restCount] = limits[i] as number;
      restCount += 1;
    }
  }
  return {
    documents: Int32Array.from(evaluated),
    sortValues: Float64Array.from(sortValues),
    rest: rest.slice(0, restCount),
    limits: limits.subarray(0, restCount),
    least,
  };
}

function evaluateAll(scorer: Scorer, documents: Int32Array): EvaluatedDocuments {
  const sortValues = new Float64Array(documents.length);
  for (let i = 0; i < sortValues.length; i += 1) {
    sortValues[i] = scorer.evidence(documents[i] as number);
  }
  return {
    documents,
    sortValues,
    rest: new Int32Array(0),
    limits: new Float64Array(0),
    least: Number.NEGATIVE_INFINITY,
  };
}
