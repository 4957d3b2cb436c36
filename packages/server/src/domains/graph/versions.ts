import { type Assertion, type Derived, derive } from './derive.ts';

/** An assertion with the time in which it was believed; epoch ms, half-open. */
export interface LoggedAssertion extends Assertion {
  readonly recordedAt: number;
  readonly retractedAt: number | null;
}

/** A fact with the time in which it was believed. */
export interface Version extends Derived {
  readonly recordedAt: number;
  readonly invalidatedAt: number | null;
}

const isLive = ({ recordedAt, retractedAt }: LoggedAssertion, at: number): boolean =>
  recordedAt <= at && (retractedAt === null || retractedAt > at);

/** What makes two facts one and the same: its sources and their weight may grow. */
export const sameness = ({ object, validFrom, validTo }: Derived): string =>
  JSON.stringify([object, validFrom, validTo]);

interface Change {
  /** Newly believed. */
  readonly recorded: readonly Derived[];
  /** Believed as before, from other sources. */
  readonly kept: readonly Derived[];
  /** `sameness` of what is believed no longer. */
  readonly invalidated: readonly string[];
}

/** What has to be written where other facts are believed than were. */
function changeOf(believed: Iterable<string>, now: readonly Derived[]): Change {
  const before = new Set(believed);
  const after = new Set(now.map(sameness));
  return {
    recorded: now.filter((fact) => !before.has(sameness(fact))),
    kept: now.filter((fact) => before.has(sameness(fact))),
    invalidated: [...before].filter((fact) => !after.has(fact)),
  };
}

/**
 * The whole history of one subject and predicate from its log. What is written step by step is
 * the same; after an assertion was erased, history is made again as if it had never been.
 */
export function replay(log: readonly LoggedAssertion[], singleValued: boolean): Version[] {
  const times = log.flatMap(({ recordedAt, retractedAt }) =>
    retractedAt === null ? [recordedAt] : [recordedAt, retractedAt],
  );
  const ended: Version[] = [];
  let believed = new Map<string, Version>();
  for (const at of [...new Set(times)].toSorted((a, b) => a - b)) {
    const live = log.filter((assertion) => isLive(assertion, at));
    const now = derive(live, singleValued);
    const { invalidated } = changeOf(believed.keys(), now);
    for (const key of invalidated) {
      const version = believed.get(key);
      if (version) ended.push({ ...version, invalidatedAt: at });
    }
    believed = new Map(
      now.map((fact) => {
        const recordedAt = believed.get(sameness(fact))?.recordedAt ?? at;
        return [sameness(fact), { ...fact, recordedAt, invalidatedAt: null }];
      }),
    );
  }
  return [...ended, ...believed.values()];
}
