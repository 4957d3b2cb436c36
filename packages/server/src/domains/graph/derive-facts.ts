/** What a memory, or a person by hand, says of a subject and predicate. Times are epoch ms. */
export interface Assertion {
  readonly id: string;
  /** The entity or value it says; equal for equal objects. */
  readonly object: string;
  /** 0..1 */
  readonly confidence: number;
  /** The stretch it says, half-open; null where it does not say. */
  readonly validFrom: number | null;
  readonly validTo: number | null;
  /** When what was said was so, where it says nothing of its begin. */
  readonly observedAt: number;
}

/** A stretch of time in which something held, from everything that says so. */
export interface DerivedFact {
  readonly object: string;
  readonly validFrom: number | null;
  readonly validTo: number | null;
  /** 0..1: one minus the chance that each of its sources is wrong. */
  readonly confidence: number;
  readonly sources: readonly string[];
}

/** A fact in the making. */
interface FactRange {
  readonly object: string;
  /** When it held for certain: by this it takes its place among the others. */
  readonly anchor: number;
  readonly from: number | null;
  to: number | null;
  doubt: number;
  readonly sources: string[];
}

/**
 * The facts of one subject and predicate, from the assertions that are believed. Pure: it depends
 * on the set of assertions, not on their order.
 *
 * Assertions of one object whose stretches meet are one fact. With a single-valued predicate a
 * fact ends where the next one of another object begins: at its `validFrom` or, where that is not
 * said, when it was observed. What says an end alone ends the fact it falls on.
 */
export function deriveFacts(
  assertions: readonly Assertion[],
  singleValued: boolean,
): DerivedFact[] {
  if (singleValued) return deriveChain(assertions);
  const byObject = [...Map.groupBy(assertions, ({ object }) => object)];
  return byObject.toSorted(([a], [b]) => compareText(a, b)).flatMap(([, own]) => deriveChain(own));
}

/** An end without a begin: "left Acme in May". */
export const hasOnlyEnd = ({ validFrom, validTo }: Assertion): boolean =>
  validFrom === null && validTo !== null;

export const compareByAnchor = (a: Assertion, b: Assertion): number =>
  anchorOf(a) - anchorOf(b) || compareText(a.object, b.object) || compareText(a.id, b.id);

export const compareByEnd = (a: Assertion, b: Assertion): number =>
  endOf(a) - endOf(b) || compareByAnchor(a, b);

const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

const anchorOf = ({ validFrom, observedAt }: Assertion): number => validFrom ?? observedAt;

const deriveChain = (assertions: readonly Assertion[]): DerivedFact[] =>
  buildChain(
    assertions.filter((one) => !hasOnlyEnd(one)).toSorted(compareByAnchor),
    assertions.filter(hasOnlyEnd).toSorted(compareByEnd),
  );

/** Facts that take turns: of what says a begin, `byAnchor`, and what says an end alone, `byEnd`. */
export function buildChain(
  begins: readonly Assertion[],
  ends: readonly Assertion[],
): DerivedFact[] {
  const stretches: FactRange[] = [];
  for (const assertion of begins) {
    const last = stretches.at(-1);
    const meets = last?.object === assertion.object && anchorOf(assertion) <= (last.to ?? Infinity);
    if (last && meets) extendRange(last, assertion);
    else stretches.push(startRange(assertion, anchorOf(assertion)));
  }
  for (const assertion of ends) {
    const ended = findLastStarted(stretches, assertion);
    if (ended) extendRange(ended, assertion);
    else stretches.push(startRange(assertion, endOf(assertion)));
  }
  if (ends.length > 0) {
    stretches.sort((a, b) => a.anchor - b.anchor || compareText(a.object, b.object));
  }
  return resolveSuccession(stretches);
}

const endOf = ({ validTo, observedAt }: Assertion): number => validTo ?? observedAt;

/** What had begun when the end came: the one that began last, wherever it stands. */
function findLastStarted(stretches: readonly FactRange[], end: Assertion): FactRange | undefined {
  let last: FactRange | undefined;
  for (const one of stretches) {
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

/** Its begin stays, since the first in order came first; of two ends the earlier. */
function extendRange(stretch: FactRange, assertion: Assertion): void {
  if (assertion.validTo !== null) {
    stretch.to = Math.min(stretch.to ?? Infinity, assertion.validTo);
  }
  stretch.doubt *= 1 - assertion.confidence;
  stretch.sources.push(assertion.id);
}

function resolveSuccession(stretches: readonly FactRange[]): DerivedFact[] {
  return stretches.map((stretch, i) => {
    const before = stretches[i - 1];
    const next = stretches[i + 1];
    const begin = next && (next.from ?? next.anchor);
    const validTo = Math.min(stretch.to ?? Infinity, begin ?? Infinity);
    return {
      object: stretch.object,
      // Who follows another began when it was first seen, if nobody says more.
      validFrom: stretch.from ?? (before ? stretch.anchor : null),
      validTo: validTo === Infinity ? null : validTo,
      confidence: 1 - stretch.doubt,
      sources: stretch.sources.length === 1 ? stretch.sources : stretch.sources.toSorted(),
    };
  });
}
