import type { Route } from '@mneme/contract';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { testSeed } from '../../support/run-count.ts';
import { findContractViolations } from './contract-violations.ts';
import { assertResponses, describeFuzz, type Fuzz } from './fuzz-session.ts';
import { FuzzTarget } from './fuzz-target.ts';
import { fuzzedRoutes, operationOf } from './fuzzed-operations.ts';
import { fuzzOwner } from './populate.ts';

const namesOfQuery = (route: Route): string[] =>
  (operationOf(route).parameters ?? []).flatMap((one) => (one.in === 'query' ? [one.name] : []));

/** Whether one of many further requests fares well: which states they meet, chance decides. */
async function faresWell(fuzz: Fuzz, route: Route): Promise<boolean> {
  for (const sent of fc.sample(fuzz.target.requests(route, false), {
    seed: testSeed,
    numRuns: 200,
  })) {
    const { status, violations } = await fuzz.session.send(route, sent);
    expect(violations).toEqual([]);
    if (status < 300) return true;
  }
  return faresWellAfresh(fuzz, route);
}

/** The same where no other route has yet taken away what this one needs. */
async function faresWellAfresh(fuzz: Fuzz, route: Route): Promise<boolean> {
  const fresh = await FuzzTarget.start(fuzz.engine);
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
async function readOf(fuzz: Fuzz, route: Route, n: number, owner: object): Promise<string> {
  const ids = fuzz.target.sources(route).ids('from');
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
  const path = fuzz.target.pathOf(route, n);
  const sent = { path, query: `?${query}`, headers: {}, body: undefined };
  const { status, text } = await fuzz.target.send(route, sent);
  if (status !== 200) return 'nothing';
  const hidden = new Set(['next_cursor', 'facets', 'computed_at']);
  return JSON.stringify(JSON.parse(text), (name, value) => (hidden.has(name) ? null : value));
}

describeFuzz((fuzz) => {
  it.each(
    fuzzedRoutes
      // acceptance/transfers reads the archive of an export.
      .filter(({ id }) => id !== 'transfers.export')
      .filter((route) => route.method === 'GET' && namesOfQuery(route).includes('user_id'))
      .map((route) => [route.id, route] as const),
  )('%s finds what an owner has', async (_id, route) => {
    let found = 'nothing';
    let others = 'nothing';
    for (let n = 0; n < 200 && found === others; n += 1) {
      found = await readOf(fuzz, route, n, fuzzOwner);
      others = await readOf(fuzz, route, n, { ...fuzzOwner, user_id: 'nobody' });
      if (found === 'nothing') others = found;
    }
    expect(found).not.toBe(others);
  });

  it.each(fuzzedRoutes.map((route) => [route.id, route] as const))(
    '%s answers fitting requests by its contract, and some of them well',
    async (_id, route) => {
      const statuses = await assertResponses(
        fuzz.session,
        route,
        fuzz.target.requests(route, false),
      );
      expect(statuses.some((status) => status < 300) || (await faresWell(fuzz, route))).toBe(true);
    },
  );
});
