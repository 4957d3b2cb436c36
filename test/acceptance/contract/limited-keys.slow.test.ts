import { allRoutes, errorCodesOf, type Route, spaceLimitedKeyAccess } from '@mneme/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { oneEngine, type Service } from '../../support/service.ts';
import {
  byteRoutes,
  createExampleData,
  exampleRequest,
  expectedError,
  jsonRoutes,
  startContractService,
} from './example-data.ts';
import { withSpace } from './example-data-media.ts';

/** Every route that an account's key may call, but endless streams. */
const called = [...jsonRoutes, ...byteRoutes].filter(
  ([, route]) => spaceLimitedKeyAccess(route) !== null,
);

/**
 * Those that can answer space_access_denied; but an upload belongs to the spaces of its key, so
 * that to others there is none.
 */
const isGuarded = (route: Route): boolean =>
  errorCodesOf(route).has('space_access_denied') && route.id !== 'media.appendUpload';
const guarded = called.filter(([, route]) => isGuarded(route));
const refused = called.filter(([, route]) => spaceLimitedKeyAccess(route) === 'refused');
const silent = called.filter(
  ([, route]) => !isGuarded(route) && spaceLimitedKeyAccess(route) !== 'refused',
);

/**
 * An activation session belongs to the account, and shows a key the memories of its spaces alone.
 * An item of a batch that is refused names its space, as every 403 space_access_denied does.
 */
const mayTell = ({ id }: Route, name: string): boolean =>
  (/^sessions\.(?:list|active)$/.test(id) && name === 'session') ||
  (id === 'relationships.batch' && name === 'space');

type Sent = ReturnType<typeof exampleRequest>;
type Fields = Record<string, unknown>;

/** The request with the space named, where the route reaches none by an id. */
function naming({ id, method, params }: Route, sent: Sent, space_id: string): Sent {
  // What is about mail belongs to the account, not to a space.
  if (params !== undefined || id.startsWith('email.')) return sent;
  if (id === 'media.createUpload') {
    return { ...sent, headers: withSpace(sent.headers ?? {}, space_id) };
  }
  if (id === 'memories.bulkCreate') {
    const memories = [{ content: 'x', space_id }];
    return { ...sent, query: { atomic: true }, body: { memories } };
  }
  const byId = [
    'webhooks.bulkDelete',
    'knowledge.createFact',
    'knowledge.extract',
    'knowledge.path',
    'knowledge.neighbourhood',
    // What concerns the whole account: no space is named.
    'account.update',
    'account.audit',
    'keys.create',
    'clusters.configure',
  ];
  if (byId.includes(id)) return sent;
  if (id === 'webhooks.bulkCreate') {
    const [webhook] = (sent.body as { webhooks: Fields[] }).webhooks;
    return { ...sent, body: { webhooks: [{ ...webhook, space_id }] } };
  }
  if (id === 'memories.bulkUpdate') {
    return { ...sent, body: { ...(sent.body as Fields), set: { space_id } } };
  }
  if (id === 'memories.erase') {
    return { ...sent, body: { filter: { space_id }, dry_run: true } };
  }
  if (id === 'memories.startChange') {
    return { ...sent, body: { ...(sent.body as Fields), filter: { space_id } } };
  }
  const place = method === 'GET' ? 'query' : 'body';
  return { ...sent, [place]: { ...(sent[place] as Fields | undefined), space_id } };
}

describe.each(oneEngine)('a key limited to another space on %s', (engine) => {
  let service: Service;
  beforeAll(async () => {
    service = await startContractService(engine);
  });
  afterAll(() => service.stop());

  /** An account with what the route speaks of in a space that the limited key may not use. */
  async function scene(route: Route) {
    const { client } = await service.createAccount();
    const ids = await createExampleData(service, client, route, true);
    const open = await client.spaces.create({ body: { name: 'open' } });
    const { key } = await client.keys.create({ body: { name: 'limited', space_ids: [open.id] } });
    return { client, ids, limited: service.client(key) };
  }

  it('has its place in the table on every route that takes the key of an account', () => {
    const taking = allRoutes.filter(({ access }) => access !== 'public' && access !== 'operator');
    const inTable = allRoutes.filter((route) => spaceLimitedKeyAccess(route) !== null);
    expect(inTable.map(({ id }) => id)).toEqual(taking.map(({ id }) => id));
    expect(guarded.length).toBeGreaterThan(35);
    // That it makes no space is among the tests of spaces.
    const others = refused.filter(([, route]) => !isGuarded(route)).map(([id]) => id);
    expect(others).toEqual(['spaces.create']);
  });

  it.each(guarded)(
    '%s of a space that the key may not use is 403 space_access_denied',
    async (_id, route) => {
      const { client, ids, limited } = await scene(route);
      const sent = naming(route, exampleRequest(route, ids), ids.space);
      expect(await limited.request(sent)).toMatchObject({
        status: 403,
        body: expectedError(route, 'space_access_denied'),
      });
      // Whoever may use the space is let in; it can only not be removed while it is in use.
      const { status } = await client.request(sent);
      expect(status < 300 || (route.id === 'spaces.remove' && status === 409)).toBe(true);
    },
  );

  it.each(silent)('%s tells nothing of a space that the key may not use', async (_id, route) => {
    const { client, ids, limited } = await scene(route);
    const sent = exampleRequest(route, ids);
    const told = Object.entries(ids).filter(
      ([name, id]) => id !== '' && !JSON.stringify(sent).includes(id) && !mayTell(route, name),
    );
    const { status, body } = await limited.request(sent);
    expect(status < 300 || status === 404).toBe(true);
    const text = JSON.stringify(body ?? null);
    expect(told.filter(([, id]) => text.includes(id))).toEqual([]);
    // Another key of the account is answered: the silence is not that of a broken request.
    expect((await client.request(sent)).status).toBeLessThan(300);
  });
});
