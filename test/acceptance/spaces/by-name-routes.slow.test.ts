import { allRoutes, type Route, spaceNamePaths } from '@mneme/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { engines, type Service } from '../../support/service.ts';
import {
  createExampleData,
  exampleRequest,
  startContractService,
} from '../contract/example-data.ts';
import { absentId } from '../errors/error-case.ts';

type Sent = ReturnType<typeof exampleRequest>;
type Fields = Record<string, unknown>;

/** Where a route takes the name of a space: in its query or body, and at which path there. */
interface Place {
  readonly part: 'query' | 'body';
  readonly path: readonly string[];
}

function placesOf({ id, query, body }: Route): Place[] {
  // The handler of a batch of searches validates its items itself.
  if (id === 'search.batch') return [{ part: 'body', path: ['queries', '*'] }];
  const inPart = (part: Place['part'], schema: Route['body']): Place[] =>
    schema ? spaceNamePaths(schema).map((path) => ({ part, path })) : [];
  return [...inPart('query', query), ...inPart('body', body)];
}

const cases = allRoutes.flatMap((route) =>
  placesOf(route).map(
    (place) => [route.id, place.path.join('.') || place.part, route, place] as const,
  ),
);

/** The value with these fields at the path; `value` is not in what is sent. */
function withFieldsAt(value: unknown, [key, ...rest]: readonly string[], fields: Fields): unknown {
  if (key === undefined) return { ...(value as Fields), ...fields };
  if (key === 'value') return withFieldsAt(value, rest, fields);
  if (key === '*') return (value as unknown[]).map((item) => withFieldsAt(item, rest, fields));
  const parent = (value ?? {}) as Fields;
  return { ...parent, [key]: withFieldsAt(parent[key], rest, fields) };
}

/** What the example lacks to be about spaces only. */
function baseOf({ id }: Route, { path: [first] }: Place, sent: Sent): Sent {
  // Only a move names a space.
  const isMove = id === 'memories.startChange' && first === 'action';
  if (isMove) return { ...sent, body: { filter: {}, action: { type: 'move' } } };
  if (id === 'memories.bulkCreate') return { ...sent, query: { atomic: true } };
  if (id === 'search.batch') return { ...sent, body: { queries: [{ q: 'tea' }] } };
  return sent;
}

/** The error of both, of the first item of a list. */
const bothNamed = (path: readonly string[] = []) => {
  const names = path.flatMap((key) => (key === '*' ? ['0'] : key === 'value' ? [] : [key]));
  const message = 'cannot be combined with space_id';
  return { [[...names, 'space'].join('.')]: { code: 'invalid_format', message } };
};

const naming = (sent: Sent, { part, path }: Place, fields: Fields) => ({
  ...sent,
  headers: { ...sent.headers, 'x-error-format': 'nested' },
  [part]: withFieldsAt(sent[part], path, fields),
});

/** What a client can tell answers apart by. */
const outcomeOf = ({ status, body }: { status: number; body: unknown }): unknown => [
  status,
  JSON.stringify(body)
    .replaceAll(/"request_id":"[^"]*"/g, '')
    .replaceAll(/"space_ids?":\["?[^"]*"\]|"space_id":"[^"]*"/g, 'the space'),
];

describe.each(engines)('the name of a space on %s', (engine) => {
  let service: Service;
  beforeAll(async () => {
    service = await startContractService(engine);
  });
  afterAll(() => service.stop());

  it('is taken by all routes that take its id', () => {
    expect(cases.length).toBeGreaterThan(28);
    expect(new Set(cases.map(([id, at]) => `${id} ${at}`)).size).toBe(cases.length);
  });

  it.each(cases)('is taken by %s instead of the id (%s)', async (id, _at, route, place) => {
    const { client } = await service.createAccount();
    const ids = await createExampleData(service, client, route, true);
    const spaces = (await client.spaces.list()).data;
    const own = id === 'search.batch' ? spaces[0] : spaces.find((space) => space.id === ids.space);
    if (!own) throw new Error('the example has no space');
    await client.spaces.create({ body: { name: 'secret' } });
    const { key } = await client.keys.create({ body: { name: 'own', space_ids: [own.id] } });
    const limited = service.client(key);
    const base = baseOf(route, place, exampleRequest(route, ids));
    const ask = async (by: typeof client, fields: Fields) =>
      outcomeOf(await by.request(naming(base, place, fields)));

    // An unknown name is answered as an unknown id, and so is one that the key may not know.
    const unknown = await ask(client, { space_id: absentId });
    expect(unknown).toEqual([id === 'search.batch' ? 200 : 404, expect.any(String)]);
    expect(await ask(client, { space: 'nowhere' })).toEqual(unknown);
    const unknownToLimited = await ask(limited, { space_id: absentId });
    for (const space of ['nowhere', 'secret', own.name.toUpperCase()]) {
      expect(await ask(limited, { space })).toEqual(unknownToLimited);
    }

    const both = await client.request(naming(base, place, { space: own.name, space_id: own.id }));
    const refused = { code: 'validation_error', details: { fields: bothNamed(place.path) } };
    expect(both).toMatchObject(
      id === 'search.batch'
        ? {
            status: 200,
            body: { results: [{ error: { ...refused, details: { fields: bothNamed() } } }] },
          }
        : { status: 422, body: { error: refused } },
    );

    // A limited key may not change a webhook of all spaces.
    const by = id === 'webhooks.update' ? client : limited;
    const { status, body } = await by.request(naming(base, place, { space: own.name }));
    expect(status, JSON.stringify(body)).toBeLessThan(300);
    expect(JSON.stringify(body)).not.toContain('"error":{');
  });
});
