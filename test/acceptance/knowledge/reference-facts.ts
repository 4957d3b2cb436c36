/** Something said, and the time in which it was believed; epoch ms, half-open. */
export interface Statement {
  readonly subject: string;
  readonly predicate: string;
  readonly object: string;
  readonly from: number | null;
  readonly to: number | null;
  readonly observed: number;
  readonly confidence: number;
  /** Null: by hand. */
  readonly memory: string | null;
  readonly recorded: number;
  retracted: number | null;
  isManual: boolean;
}

export interface ReferenceFact {
  readonly subject: string;
  readonly predicate: string;
  readonly object: string;
  readonly from: number | null;
  readonly to: number | null;
  readonly sources: readonly Statement[];
}

const startOf = (one: Statement): number => one.from ?? one.observed;
const isEnd = (one: Statement): boolean => one.from === null && one.to !== null;
const order = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** What somebody who writes nothing down would say at a moment, from all that was said by then. */
export function referenceFactsAt(log: readonly Statement[], at: number): ReferenceFact[] {
  const live = log.filter(
    (one) => one.recorded <= at && (one.retracted === null || one.retracted > at),
  );
  const kinds = Map.groupBy(live, (one) =>
    JSON.stringify([one.subject, one.predicate, one.predicate === 'works_at' || one.object]),
  );
  return [...kinds.values()].flatMap(factPeriods);
}

/** One life: stretches of the same object that touch are one, and the next one ends the last. */
function factPeriods(said: readonly Statement[]): ReferenceFact[] {
  const stretches: { start: number; sources: Statement[] }[] = [];
  const begins = said
    .filter((one) => !isEnd(one))
    .toSorted((a, b) => startOf(a) - startOf(b) || order(a.object, b.object));
  const endOf = ({ sources }: { sources: Statement[] }): number =>
    Math.min(...sources.map(({ to }) => to ?? Number.POSITIVE_INFINITY));
  for (const one of begins) {
    const last = stretches.at(-1);
    const isSame = last?.sources[0]?.object === one.object;
    if (last && isSame && startOf(one) <= endOf(last)) last.sources.push(one);
    else stretches.push({ start: startOf(one), sources: [one] });
  }
  for (const one of said.filter(isEnd).toSorted((a, b) => Number(a.to) - Number(b.to))) {
    const end = Number(one.to);
    const own = stretches.filter(
      ({ start, sources }) => sources[0]?.object === one.object && start <= end,
    );
    const latest = own.toSorted((a, b) => a.start - b.start).at(-1);
    if (latest) latest.sources.push(one);
    else stretches.push({ start: end, sources: [one] });
  }
  const inOrder = stretches.toSorted(
    (a, b) => a.start - b.start || order(a.sources[0]?.object ?? '', b.sources[0]?.object ?? ''),
  );
  return inOrder.map((stretch, i) => {
    const first = stretch.sources[0] as Statement;
    const next = inOrder[i + 1];
    const until = Math.min(endOf(stretch), next?.start ?? Number.POSITIVE_INFINITY);
    return {
      subject: first.subject,
      predicate: first.predicate,
      object: first.object,
      from: first.from ?? (i > 0 ? stretch.start : null),
      to: Number.isFinite(until) ? until : null,
      sources: stretch.sources,
    };
  });
}

export const factKey = ({
  subject,
  predicate,
  object,
  from,
  to,
}: Omit<ReferenceFact, 'sources'>): string =>
  JSON.stringify([subject, predicate, object, from, to]);

/** Who says a fact that is believed at a moment when it was last believed without a break. */
export function referenceSources(
  log: readonly Statement[],
  fact: ReferenceFact,
  at: number,
): readonly Statement[] {
  const moments = log.flatMap(({ recorded, retracted }) =>
    retracted === null ? [recorded] : [recorded, retracted],
  );
  let { sources } = fact;
  for (const moment of [...new Set(moments)].filter((one) => one > at).toSorted((a, b) => a - b)) {
    const still = referenceFactsAt(log, moment).find((one) => factKey(one) === factKey(fact));
    if (!still) break;
    ({ sources } = still);
  }
  return sources;
}
