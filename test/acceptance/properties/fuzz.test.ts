import { allRoutes, type Route } from '@mneme/contract';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { engines } from '../../support/service.ts';
import { faultsOf } from './answers.ts';
import { attacks } from './attacks.ts';
import { type Sent, Target } from './target.ts';

const seed = 20_260_107;
const numRuns = 20;
process.stdout.write(`fuzz: seed ${seed}, ${numRuns} runs of each kind for each route\n`);

/** A stream is not read to its end. */
const answering = allRoutes.filter(({ streams }) => !streams);

const writes = ({ method }: Route): boolean => method !== 'GET';

describe.each(engines)('whatever is sent on %s', (engine) => {
  let target: Target;
  beforeAll(async () => {
    target = await Target.start(engine);
  });
  afterAll(() => target.service.stop());

  /** As it was after the last write that was taken; null where nobody has looked since. */
  let known: string | null = null;

  /** What refusals since the last look have changed. */
  async function changed(): Promise<string[]> {
    const before = known;
    known = await target.state();
    return before === null || before === known ? [] : ['a refused write changed something'];
  }

  /** Sends and says what is wrong with the answer. */
  async function shoot(route: Route, sent: Sent): Promise<{ status: number; faults: string[] }> {
    if (writes(route)) known ??= await target.state();
    const came = await target.send(route, sent);
    if (writes(route) && came.status < 400) known = null;
    return { status: came.status, faults: faultsOf(route, came) };
  }

  const property = (route: Route, odd: boolean, seen: number[]): Promise<void> =>
    fc.assert(
      fc.asyncProperty(target.requests(route, odd), async (sent) => {
        const { status, faults } = await shoot(route, sent);
        seen.push(status);
        expect(faults).toEqual([]);
        if (writes(route) && status >= 400) expect(await changed()).toEqual([]);
      }),
      { seed: seed + allRoutes.indexOf(route), numRuns, endOnFailure: true },
    );

  /** Whether one of many further requests fares well: which states they meet, chance decides. */
  async function faresWell(route: Route): Promise<boolean> {
    for (const sent of fc.sample(target.requests(route, false), { seed, numRuns: 200 })) {
      const { status, faults } = await shoot(route, sent);
      expect(faults).toEqual([]);
      if (status < 300) return true;
    }
    return false;
  }

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
      let refused = 0;
      for (const { name, sent } of attacks(route, target)) {
        const { status, faults } = await shoot(route, sent);
        wrong.push(...faults.map((fault) => `${name}: ${fault}`));
        // One look for all refusals in a row: the next taken write would hide what they did.
        if (writes(route) && status < 400) refused = 0;
        else refused += 1;
        if (refused % 20 === 19)
          wrong.push(...(await changed()).map((fault) => `${name}: ${fault}`));
      }
      wrong.push(...(await changed()));
      expect(wrong).toEqual([]);
    },
    120_000,
  );
});
