/** What a memory, or a manual entry, states about a subject and predicate. Times are epoch ms. */
export interface Assertion {
  readonly id: string;
  /** The entity or value; equal for equal objects. */
  readonly object: string;
  /** 0..1 */
  readonly confidence: number;
  /** The stated time range, half-open; null where it is not stated. */
  readonly validFrom: number | null;
  readonly validTo: number | null;
  /** The time of the statement: the fact held then, if no start is stated. */
  readonly observedAt: number;
}

/** A time range in which a fact held, derived from all assertions that support it. */
export interface DerivedFact {
  readonly object: string;
  readonly validFrom: number | null;
  readonly validTo: number | null;
  /** 0..1: one minus the probability that all of its sources are wrong. */
  readonly confidence: number;
  readonly sources: readonly string[];
}

/** A fact under construction. */
interface FactRange {
  readonly object: string;
  /** A time at which it certainly held: it orders the fact among the others. */
  readonly anchor: number;
  readonly from: number | null;
  to: number | null;
  doubt: number;
  readonly sources: string[];
}

/**
 * Derives the facts of one subject and predicate from the believed assertions. Pure: the result
 * depends on the set of assertions, not on their order. Assertions of one object with overlapping
 * or adjacent ranges are one fact. With a single-valued predicate, a fact ends where the next one
 * of another object begins: at its `validFrom`, or if that is not stated, when it was observed. An
 * assertion with only an end ends the fact that contains it.
 */
export function deriveFacts(
  assertions: readonly Assertion[],
  singleValued: boolean,
): DerivedFact[] {
  if (singleValued) return deriveChain(assertions);
  const byObject = [...Map.groupBy(assertions, ({ object }) => object)];
  return byObject
    .toSorted(([a], [b]) => compareText(a, b))
    .flatMap(([, ownAssertions]) => deriveChain(ownAssertions));
}

/** An end without a start: "left Acme in May". */
export const hasOnlyEndTime = ({ validFrom, validTo }: Assertion): boolean =>
  validFrom === null && validTo !== null;

export const compareByStartTime = (a: Assertion, b: Assertion): number =>
  anchorOf(a) - anchorOf(b) || compareText(a.object, b.object) || compareText(a.id, b.id);

export const compareByEndTime = (a: Assertion, b: Assertion): number =>
  endOf(a) - endOf(b) || compareByStartTime(a, b);

const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

const anchorOf = ({ validFrom, observedAt }: Assertion): number => validFrom ?? observedAt;

const deriveChain = (assertions: readonly Assertion[]): DerivedFact[] =>
  buildSuccessiveFacts(
    assertions.filter((one) => !hasOnlyEndTime(one)).toSorted(compareByStartTime),
    assertions.filter(hasOnlyEndTime).toSorted(compareByEndTime),
  );

/**
 * Facts that succeed each other, from assertions with a start or none (`begins`) and those with
 * only an end (`ends`).
 */
export function buildSuccessiveFacts(
  begins: readonly Assertion[],
  ends: readonly Assertion[],
): DerivedFact[] {
  const ranges: FactRange[] = [];
  for (const assertion of begins) {
    const last = ranges.at(-1);
    const overlaps =
      last?.object === assertion.object && anchorOf(assertion) <= (last.to ?? Infinity);
    if (last && overlaps) extendRange(last, assertion);
    else ranges.push(startRange(assertion, anchorOf(assertion)));
  }
  for (const assertion of ends) {
    const ended = findLastStarted(ranges, assertion);
    if (ended) extendRange(ended, assertion);
    else ranges.push(startRange(assertion, endOf(assertion)));
  }
  if (ends.length > 0) {
    ranges.sort((a, b) => a.anchor - b.anchor || compareText(a.object, b.object));
  }
  return resolveSuccession(ranges);
}

const endOf = ({ validTo, observedAt }: Assertion): number => validTo ?? observedAt;

/** The fact that started last before the end, wherever it is in the list. */
function findLastStarted(ranges: readonly FactRange[], end: Assertion): FactRange | undefined {
  let last: FactRange | undefined;
  for (const one of ranges) {
    if (one.object !== end.object || one.anchor > endOf(end)) continue;
    if (last === undefined || one.anchor >= last.anchor) last = one;
  }
  return last;
}

const startRange = (assertion: Assertion, anchor: number): FactRange => ({
  object: assertion.object,
  anchor,
  from: assertion.validFrom,
  to: assertion.validTo,
  doubt: 1 - assertion.confidence,
  sources: [assertion.id],
});

/** The start stays, because assertions are ordered by it; of two ends the earlier counts. */
function extendRange(range: FactRange, assertion: Assertion): void {
  if (assertion.validTo !== null) {
    range.to = Math.min(range.to ?? Infinity, assertion.validTo);
  }
  range.doubt *= 1 - assertion.confidence;
  range.sources.push(assertion.id);
}

function resolveSuccession(ranges: readonly FactRange[]): DerivedFact[] {
  return ranges.map((range, i) => {
    const previous = ranges[i - 1];
    const next = ranges[i + 1];
    const start = next && (next.from ?? next.anchor);
    const validTo = Math.min(range.to ?? Infinity, start ?? Infinity);
    return {
      object: range.object,
      // A successor started when it was first observed, unless its start is stated.
      validFrom: range.from ?? (previous ? range.anchor : null),
      validTo: validTo === Infinity ? null : validTo,
      confidence: 1 - range.doubt,
      sources: range.sources.length === 1 ? range.sources : range.sources.toSorted(),
    };
  });
}
