import fc from 'fast-check';
import { expect, test } from 'vitest';
import { leastCpuMs } from '../../../../../test/support/cpu-time.ts';
import { runCount } from '../../../../../test/support/run-count.ts';
import { deriveFacts } from './derive-facts.ts';
import {
  type FactVersion,
  factKey,
  type LoggedAssertion,
  replayAssertionLog,
} from './fact-versions.ts';

/** The history by its definition: all facts are derived again at each moment of the log. */
function replayNaively(log: readonly LoggedAssertion[], singleValued: boolean): FactVersion[] {
  const times = log.flatMap(({ recordedAt, retractedAt }) => [
    recordedAt,
    ...(retractedAt === null ? [] : [retractedAt]),
  ]);
  const ended: FactVersion[] = [];
  let believed = new Map<string, FactVersion>();
  for (const at of [...new Set(times)].toSorted((a, b) => a - b)) {
    const live = log.filter(
      (one) => one.recordedAt <= at && (one.retractedAt === null || one.retractedAt > at),
    );
    const now = new Map(
      deriveFacts(live, singleValued).map((fact) => {
        const recordedAt = believed.get(factKey(fact))?.recordedAt ?? at;
        return [factKey(fact), { ...fact, recordedAt, invalidatedAt: null }];
      }),
    );
    for (const [key, version] of believed) {
      if (!now.has(key)) ended.push({ ...version, invalidatedAt: at });
    }
    believed = now;
  }
  return [...ended, ...believed.values()];
}

const inOrder = (versions: readonly FactVersion[]): FactVersion[] => {
  const key = (one: FactVersion): string => `${factKey(one)} ${one.recordedAt}`;
  return versions.toSorted((a, b) => (key(a) < key(b) ? -1 : 1));
};

/** Few values, so that many assertions repeat, coincide, or are retracted at their own moment. */
const time = fc.nat(8);
const logged = fc.record({
  object: fc.constantFrom('a', 'b', 'c'),
  confidence: fc.constantFrom(0.25, 0.5, 0.75),
  from: fc.option(time),
  length: fc.option(fc.integer({ min: 1, max: 4 })),
  observedAt: time,
  recordedAt: fc.nat(12),
  livesFor: fc.option(fc.nat(12)),
});
const logs = fc.array(logged, { maxLength: 20 }).map((list) =>
  list.map(
    (one, i): LoggedAssertion => ({
      id: `a${String(i).padStart(3, '0')}`,
      object: one.object,
      confidence: one.confidence,
      validFrom: one.from,
      validTo: one.length === null ? null : (one.from ?? one.observedAt) + one.length,
      observedAt: one.observedAt,
      recordedAt: one.recordedAt,
      retractedAt: one.livesFor === null ? null : one.recordedAt + one.livesFor,
    }),
  ),
);

test('a history equals the facts derived at each moment of its log', () => {
  fc.assert(
    fc.property(logs, fc.boolean(), (log, single) => {
      expect(inOrder(replayAssertionLog(log, single))).toEqual(inOrder(replayNaively(log, single)));
    }),
    { numRuns: runCount(200, 10_000) },
  );
});

const said = (count: number, of: (i: number) => Partial<LoggedAssertion>): LoggedAssertion[] =>
  Array.from({ length: count }, (_, i) => ({
    id: `a${String(i).padStart(6, '0')}`,
    object: 'a',
    confidence: 0.5,
    validFrom: null,
    validTo: null,
    observedAt: i,
    recordedAt: i,
    retractedAt: null,
    ...of(i),
  }));

// An erasure rebuilds histories in its transaction: deriving these again at each moment took
// minutes.
test.each([
  ['one thing, time and again', false, said(10_000, () => ({}))],
  ['one stretch, time and again', true, said(10_000, () => ({ validFrom: 1, validTo: 2 }))],
  ['thousands of things', false, said(10_000, (i) => ({ object: `o${i}` }))],
  ['two places in turns', true, said(1_000, (i) => ({ object: `o${i % 2}` }))],
] as const)('a history of %s is made within 5 s of processor time', (_, single, log) => {
  const took = leastCpuMs(
    () => expect(replayAssertionLog(log, single).length).toBeGreaterThan(0),
    1,
  );
  expect(took).toBeLessThan(5_000);
});
