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

/** In each round so many times as many documents are evaluated as in the one before. */
const roundFactor = 2;

/**
 * Evaluates the documents that may be among the first `count`. An upper limit of the evidence costs
 * little: most documents cannot reach those with the largest limits (Turtle & Flood 1995). Rounds
 * begin with those, and each raises what the next ones have to reach.
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
  scorer.fillEvidenceLimits(documents, limits);
  const evaluated = new Evaluated(scorer, documents, limits);
  let least = Number.NEGATIVE_INFINITY;
  // Positions of what may reach the first places, and their limits; at first those of all.
  let open: number[] | null = null;
  let openLimits = limits;
  for (let size = count; openLimits.length > 0; size *= roundFactor) {
    const probable = nthLargest(openLimits, Math.min(size, openLimits.length));
    let room = size;
    for (let i = 0; i < openLimits.length && room > 0; i += 1) {
      if ((openLimits[i] as number) < probable) continue;
      evaluated.add(open === null ? i : (open[i] as number));
      room -= 1;
    }
    // So many have this evidence at least.
    least = nthLargest(Float64Array.from(evaluated.values), count);
    const reaching: number[] = [];
    for (let i = 0; i < openLimits.length; i += 1) {
      if ((openLimits[i] as number) < least) continue;
      const position = open === null ? i : (open[i] as number);
      if (limits[position] !== isEvaluated) reaching.push(position);
    }
    open = reaching;
    openLimits = new Float64Array(reaching.length);
    for (let i = 0; i < reaching.length; i += 1) {
      openLimits[i] = limits[reaching[i] as number] as number;
    }
  }
  if (required !== undefined && required.size > 0) {
    for (let i = 0; i < documents.length; i += 1) {
      if (limits[i] !== isEvaluated && required.has(documents[i] as number)) evaluated.add(i);
    }
  }
  return { ...evaluated.separate(), least };
}

/** In place of the limit of what is evaluated. */
const isEvaluated = Number.NEGATIVE_INFINITY;

class Evaluated {
  readonly #scorer: Scorer;
  readonly #documents: Int32Array;
  readonly #limits: Float64Array;
  readonly #positions: number[] = [];
  /** In the order in which they were added. */
  readonly values: number[] = [];

  constructor(scorer: Scorer, documents: Int32Array, limits: Float64Array) {
    this.#scorer = scorer;
    this.#documents = documents;
    this.#limits = limits;
  }

  add(position: number): void {
    this.values.push(this.#scorer.evidence(this.#documents[position] as number));
    this.#positions.push(position);
    this.#limits[position] = isEvaluated;
  }

  /** In the order of the documents. */
  separate(): Omit<EvaluatedDocuments, 'least'> {
    const [documents, limits] = [this.#documents, this.#limits];
    const positions = this.#positions;
    const order = Uint32Array.from(positions.keys()).sort(
      (a, b) => (positions[a] as number) - (positions[b] as number),
    );
    const rest = new Int32Array(documents.length - positions.length);
    let restCount = 0;
    for (let i = 0; i < documents.length; i += 1) {
      if (limits[i] === isEvaluated) continue;
      rest[restCount] = documents[i] as number;
      limits[restCount] = limits[i] as number;
      restCount += 1;
    }
    return {
      documents: Int32Array.from(order, (i) => documents[positions[i] as number] as number),
      sortValues: Float64Array.from(order, (i) => this.values[i] as number),
      rest,
      limits: limits.subarray(0, restCount),
    };
  }
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
