import { allRoutes, type Route } from '@mneme/contract';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCount, testSeed } from '../../support/run-count.ts';
import { engines, oneEngine } from '../../support/service.ts';
import { findContractViolations } from './contract-violations.ts';
import { type FuzzRequest, FuzzTarget, operationOf } from './fuzz-target.ts';
import { malformedRequests } from './malformed-requests.ts';
import { fuzzOwner } from './populate.ts';

const numRuns = runCount(3, 100);
/** Of what is refused before anything is done with it: one look serves several in a row. */
const bentPerLook = 10;

/** A stream is not read to its end. */
const answering = allRoutes.filter(({ eventStream }) => !eventStream);

/** Where two states differ first, each with what surrounds the place. */
function differenceOf(before: string, after: string): string {
  let at = 0;
  while (before[at] === after[at]) at += 1;
  const [was, is] = [before, after].map((state) => state.slice(Math.max(0, at - 200), at + 200));
  return `a refused write changed something: ${was} became ${is}`;
}

/** Reads that keep what they have computed. */
const computing = new Set(['memories.quality']);

const namesOfQuery = (route: Route): string[] =>
  (operationOf(route).parameters ?? []).flatMap((one) => (one.in === 'query' ? [one.name] : []));

const writes = ({ method }: Route): boolean => method !== 'GET';

// Which answer a request gets hardly depends on the engine: the long run tries both.
describe.each(runCount<typeof engines>(oneEngine, engines))('whatever is sent on %s', (engine) => {
  let target: FuzzTarget;
  beforeAll(async () => {
    target = await FuzzTarget.start(engine);
  });
  afterAll(() => target.service.stop());

  /** As it was after the last write that was taken; null where nobody has looked since. */
  let known: string | null = null;
  /** Writes that were refused since the last look. */
  let refused = 0;

  /** What refusals since the last look have changed. */
  async function changed(): Promise<string[]> {
    if (refused === 0) return [];
    const before = known;
    known = await target.state();
    refused = 0;
    return before === null || before === known ? [] : [differenceOf(before, known)];
  }

  /** Sends and says what is wrong with the answer, and with what was refused before it. */
  async function shoot(
    route: Route,
    sent: FuzzRequest,
    perLook: number,
  ): Promise<{ status: number; faults: string[] }> {
    if (writes(route)) known ??= await target.state();
    else if (computing.has(route.id)) known = null;
    const came = await target.send(route, sent);
    if (writes(route) && came.status < 400) {
      known = null;
      refused = 0;
    } else if (writes(route)) {
      refused += 1;
    }
    const faults = findContractViolations(route, came);
    if (refused >= perLook) faults.push(...(await changed()));
    return { status: came.status, faults };
  }

  async function property(route: Route, odd: boolean, seen: number[]): Promise<void> {
    await fc.assert(
      fc.asyncProperty(target.requests(route, odd), async (sent) => {
        const { status, faults } = await shoot(route, sent, odd ? bentPerLook : 1);
        seen.push(status);
        expect(faults).toEqual([]);
      }),
      { seed: testSeed + allRoutes.indexOf(route), numRuns, endOnFailure: true },
    );
    expect(await changed()).toEqual([]);
  }

  /** Whether one of many further requests fares well: which states they meet, chance decides. */
  async function faresWell(route: Route): Promise<boolean> {
    for (const sent of fc.sample(target.requests(route, false), { seed: testSeed, numRuns: 200 })) {
      const { status, faults } = await shoot(route, sent, bentPerLook);
      expect(faults).toEqual([]);
      if (status < 300) return true;
    }
    return faresWellAfresh(route);
  }

  /** The same where no other route has yet taken away what this one needs. */
  async function faresWellAfresh(route: Route): Promise<boolean> {
    const fresh = await FuzzTarget.start(engine);
    try {
      for (const sent of fc.sample(fresh.requests(route, false), {
        seed: testSeed,
        numRuns: 500,
      })) {
        const came = await fresh.send(route, sent);
        expect(findContractViolations(route, came)).toEqual([]);
        if (came.status < 300) return true;
      }
      return false;
    } finally {
      await fresh.service.stop();
    }
  }

  /** What a read with an owner as filter answers, without what the filter alone changes. */
  async function readOf(route: Route, n: number, owner: object): Promise<string> {
    const ids = target.sources(route).ids('from');
    const [from = '', to = ''] = ids.slice(1);
    const entity_id = ids[n % ids.length] ?? '';
    const words = route.id.startsWith('search.')
      ? { q: 'coffee', query: 'coffee', group_by: 'tags' }
      : {};
    const asked = { topic: 'coffee', countable_category: 'people', from, to, entity_id };
    const fitting = { ...words, ...asked };
    const names = namesOfQuery(route);
    const known = Object.entries(fitting).filter(([name]) => names.includes(name));
    const query = new URLSearchParams({ ...owner, ...Object.fromEntries(known) });
    const path = target.pathOf(route, n);
    const sent = { path, query: `?${query}`, headers: {}, body: undefined };
    const { status, text } = await target.send(route, sent);
    if (status !== 200) return 'nothing';
    const hidden = new Set(['next_cursor', 'facets', 'computed_at']);
    return JSON.stringify(JSON.parse(text), (name, value) => (hidden.has(name) ? null : value));
  }

  it.each(
    answering
      // acceptance/transfers reads the archive of an export.
      .filter(({ id }) => id !== 'transfers.export')
      .filter((route) => route.method === 'GET' && namesOfQuery(route).includes('user_id'))
      .map((route) => [route.id, route] as const),
  )('%s finds what an owner has', async (_id, route) => {
    let found = 'nothing';
    let others = 'nothing';
    for (let n = 0; n < 200 && found === others; n += 1) {
      found = await readOf(route, n, fuzzOwner);
      others = await readOf(route, n, { ...fuzzOwner, user_id: 'nobody' });
      if (found === 'nothing') others = found;
    }
    expect(found).not.toBe(others);
  });

  it.each(answering.map((route) => [route.id, route] as const))(
    '%s answers fitting requests by its contract, and some of them well',
    async (_id, route) => {
      const seen: number[] = [];
      await property(route, false, seen);
      expect(seen.some((status) => status < 300) || (await faresWell(route))).toBe(true);
    },
  );

  it.each(answering.map((route) => [route.id, route] as const))(
    '%s answers bent requests by its contract, and a refusal changes nothing',
    (_id, route) => property(route, true, []),
  );

  it.each(answering.map((route) => [route.id, route] as const))(
    '%s bears broken JSON, odd ids, odd queries and odd headers',
    async (_id, route) => {
      const wrong: string[] = [];
      for (const { name, request } of malformedRequests(route, target)) {
        const { faults } = await shoot(route, request, bentPerLook);
        wrong.push(...faults.map((fault) => `${name}: ${fault}`));
      }
      wrong.push(...(await changed()));
      expect(wrong).toEqual([]);
    },
    120_000,
  );
});
