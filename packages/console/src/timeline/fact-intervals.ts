import type { Fact } from '@mneme/sdk';

export interface Interval {
  /** Percent of the width. */
  readonly left: number;
  readonly width: number;
  /** Open ends continue beyond the shown time. */
  readonly isOpenStart: boolean;
  readonly isOpenEnd: boolean;
}

export interface FactRow {
  readonly fact: Fact;
  /** When it holds in the world. */
  readonly valid: Interval;
  /** When the service considered it true. */
  readonly known: Interval;
}

export interface FactChart {
  readonly fromMs: number;
  readonly toMs: number;
  readonly rows: readonly FactRow[];
}

/** A chart of less would show one moment. */
const spanMsMin = 30 * 86_400_000;
const widthMin = 0.6;

/** Facts as intervals between the first time that they name and now; by predicate, then by time. */
export function toFactChart(facts: readonly Fact[], nowMs: number): FactChart {
  const times = facts.flatMap(({ valid_from, valid_to, recorded_at }) =>
    [valid_from, valid_to, recorded_at].flatMap((at) => (at === null ? [] : [Date.parse(at)])),
  );
  const first = Math.min(nowMs - spanMsMin, ...times);
  const toMs = Math.max(nowMs, ...times);
  const fromMs = first - (toMs - first) * 0.03;
  const percent = (ms: number): number => ((ms - fromMs) / (toMs - fromMs)) * 100;
  const toInterval = (from: string | null, to: string | null): Interval => {
    const [left, right] = [
      from === null ? 0 : percent(Date.parse(from)),
      to === null ? 100 : percent(Date.parse(to)),
    ];
    const width = Math.max(widthMin, right - left);
    return {
      left: Math.min(left, 100 - width),
      width,
      isOpenStart: from === null,
      isOpenEnd: to === null,
    };
  };
  const rows = facts
    .map((fact) => ({
      fact,
      valid: toInterval(fact.valid_from, fact.valid_to),
      known: toInterval(fact.recorded_at, fact.invalidated_at),
    }))
    .sort(
      (a, b) =>
        a.fact.predicate.localeCompare(b.fact.predicate) ||
        a.valid.left - b.valid.left ||
        a.known.left - b.known.left,
    );
  return { fromMs, toMs, rows };
}
