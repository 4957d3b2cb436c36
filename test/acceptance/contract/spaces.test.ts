import { errorsOf, type Route } from '@mneme/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { engines, type Service } from '../../support/service.ts';
import { answered, errorOf, exampleOf, ofBytes, setScene, startContract } from './scene.ts';
import { withSpace } from './scene-media.ts';

/**
 * Every route that can answer space_access_denied; but an upload belongs to the spaces of its key,
 * so that to others there is none.
 */
const guarded = [...answered, ...ofBytes].filter(
  ([id, route]) => errorsOf(route).has('space_access_denied') && id !== 'media.appendUpload',
);

type Sent = ReturnType<typeof exampleOf>;
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
  const place = method === 'GET' ? 'query' : 'body';
  return { ...sent, [place]: { ...(sent[place] as Fields | undefined), space_id } };
}

describe.each(engines)('a key limited to another space on %s', (engine) => {
  let service: Service;
  beforeAll(async () => {
    service = await startContract(engine);
  });
  afterAll(() => service.stop());

  it('is guarded against by many routes', () => {
    expect(guarded.length).toBeGreaterThan(35);
  });

  it.each(guarded)(
    '%s of a space that the key may not use is 403 space_access_denied',
    async (_id, route) => {
      const { client } = await service.account();
      const ids = await setScene(service, client, route, true);
      const open = await client.spaces.create({ body: { name: 'open' } });
      const { key } = await client.keys.create({
        body: { name: 'limited', space_ids: [open.id] },
      });
      const sent = naming(route, exampleOf(route, ids), ids.space);
      expect(await service.client(key).request(sent)).toMatchObject({
        status: 403,
        body: errorOf(route, 'space_access_denied'),
      });
      // Whoever may use the space is let in; it can only not be removed while it is in use.
      const { status } = await client.request(sent);
      expect(status < 300 || (route.id === 'spaces.remove' && status === 409)).toBe(true);
    },
  );
});
