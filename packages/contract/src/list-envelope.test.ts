import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { pagination } from './fields.ts';
import { allRoutes, buildOpenApi, type Route } from './index.ts';
import { addListEnvelope, type ListTraits, listEnvelope, listTraitsOf } from './list-envelope.ts';

const traits = (paging: ListTraits['paging'], ...records: string[]): ListTraits => ({
  paging,
  records: records.length > 0 ? records : ['data'],
});

describe('the envelope of a list', () => {
  it('is made of a page by cursor', () => {
    const page = { data: [1], has_more: true, next_cursor: 'c' };
    expect(addListEnvelope(traits('cursor'), page, { limit: 1, cursor: 'b' })).toEqual({
      ...page,
      pagination: { limit: 1, total: null, offset: null, has_more: true, next_cursor: 'c' },
    });
  });

  it('is made of a page by offset, with what its pagination has besides', () => {
    const page = {
      memories: [1, 2],
      pagination: { limit: 2, offset: 4, total: 7, has_more: true, count: 2 },
    };
    expect(addListEnvelope(traits('offset', 'memories'), page, {})).toEqual({
      memories: [1, 2],
      data: [1, 2],
      pagination: { limit: 2, offset: 4, total: 7, has_more: true, next_cursor: null, count: 2 },
    });
  });

  it.each([
    [0, true],
    [3, false],
    [9, false],
  ])('is made of a total and the query: from %i on there is more: %s', (offset, has_more) => {
    const facts = [1, 2].slice(0, Math.max(0, 5 - offset));
    const page = { entity_id: 'x', facts, total: 5 };
    expect(addListEnvelope(traits('offset', 'facts'), page, { limit: 2, offset })).toEqual({
      ...page,
      data: facts,
      pagination: { limit: 2, offset, total: 5, has_more, next_cursor: null },
    });
  });

  it('has both where pages have both', () => {
    const published = { limit: 1, offset: 2, total: 9, has_more: true };
    const page = { data: [1], has_more: true, next_cursor: 'c', pagination: published };
    expect(addListEnvelope(traits('cursor or offset'), page, {})).toEqual({
      ...page,
      pagination: { ...published, next_cursor: 'c' },
    });
  });

  it('has the records of several fields, and says that these are all', () => {
    const page = { outgoing: [1], incoming: [2, 3] };
    const envelope = addListEnvelope(traits('all', 'outgoing', 'incoming'), page, {});
    expect(envelope).toEqual({
      ...page,
      data: [1, 2, 3],
      pagination: { limit: null, total: 3, offset: null, has_more: false, next_cursor: null },
    });
  });

  it('does not count what lies beyond the best', () => {
    const envelope = addListEnvelope(traits('best'), { data: [1] }, { limit: 1 });
    const pagination = { limit: 1, total: null, offset: null, has_more: false, next_cursor: null };
    expect(envelope).toEqual({ data: [1], pagination });
  });

  it('has the same array under both names, which is serialized once', () => {
    const page = { facts: [{}], total: 1 };
    expect(addListEnvelope(traits('offset', 'facts'), page, {})).toHaveProperty('data', page.facts);
    expect((addListEnvelope(traits('offset', 'facts'), page, {}) as { data: unknown }).data).toBe(
      page.facts,
    );
  });

  it('keeps the published fields of a schema, and its name', () => {
    const schema = z.object({ facts: z.array(z.int()), total: z.int() }).meta({ id: 'Facts' });
    const envelope = listEnvelope(schema, traits('offset', 'facts'));
    expect(Object.keys(envelope.shape)).toEqual(['facts', 'total', 'data', 'pagination']);
    expect(z.globalRegistry.get(envelope)?.id).toBe('Facts');
    expect(listTraitsOf(schema)).toBeUndefined();
    expect(() => listEnvelope(schema, traits('offset', 'total'))).toThrow('total is no list');
    expect(
      listEnvelope(z.object({ data: z.array(z.int()), pagination }), traits('offset')),
    ).toBeDefined();
  });
});

type Json = Readonly<Record<string, unknown>>;
const document = buildOpenApi(allRoutes, '0') as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Json>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Json>> };
};

const resolve = (schema: unknown): Json => {
  const { $ref, ...own } = Object(schema) as { $ref?: string };
  if ($ref === undefined) return own as Json;
  return { ...document.components.schemas[$ref.slice($ref.lastIndexOf('/') + 1)], ...own };
};

/** The documented fields of the success of a route whose body is JSON. */
function responseFields({ method, path, responses, responseType, eventStream }: Route): Json {
  if (responseType || eventStream) return {};
  const operation = document.paths[path.replaceAll(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()];
  const status = Object.keys(responses)[0] ?? '';
  const { content } = Object(Object(operation?.responses)[status]) as { content?: Json };
  const { schema } = Object(content?.['application/json']) as { schema?: unknown };
  return (resolve(schema).properties ?? {}) as Json;
}

const hasRecords = (fields: Json): boolean =>
  Object.values(fields).some((field) => {
    const { type, items } = resolve(field) as { type?: string; items?: unknown };
    return type === 'array' && 'properties' in resolve(items);
  });

/** What has records without being a list, and why. */
const noLists: Readonly<Record<string, string>> = {
  'memories.create': 'one record',
  'memories.bulkCreate': 'a bulk request',
  'memories.bulkUpdate': 'a bulk request',
  'memories.bulkDelete': 'a bulk request',
  'memories.bulkTags': 'a bulk request',
  'memories.fromMessages': 'a bulk request',
  'relationships.batch': 'a bulk request',
  'cliSessions.postMessages': 'a bulk request',
  'webhooks.bulkCreate': 'a bulk request',
  'media.transcript': 'one record',
  'media.videoTranscript': 'one record',
  'media.interpretation': 'one record',
  'knowledge.get': 'one record',
  'knowledge.extract': 'the result of an action',
  'knowledge.subgraph': 'a graph',
  'knowledge.path': 'a graph',
  'knowledge.neighbourhood': 'a graph',
  'knowledge.ofMemory': 'all that one memory states',
  'clusters.get': 'one record',
  'clusters.associate': 'the result of an action',
  'clusters.stats': 'statistics',
  'clusters.map': 'a map in columns',
  'memories.facets': 'statistics',
  'webhooks.stats': 'statistics',
  'search.recall': 'the context of a prompt',
  'sessions.export': 'an export',
  'sessions.report': 'a report',
  'admin.getVerification': 'a report',
  'admin.getImport': 'a report',
  'transfers.getImport': 'a report',
  'admin.getModelTest': 'a report',
  'admin.getDiagnosis': 'a report',
  'admin.acknowledgeFindings': 'a report',
};

const lists = allRoutes.filter(({ responses }) => listTraitsOf(responses[200]));
const byId = (routes: readonly Route[]) => routes.map((route) => [route.id, route] as const);

describe('every route', () => {
  it.each(byId(allRoutes))('%s has the envelope if it is a list', (id, route) => {
    if (!hasRecords(responseFields(route))) return;
    expect(lists.includes(route) || id in noLists).toBe(true);
  });

  it('is a list or none', () => {
    const ids = lists.map(({ id }) => id);
    expect(ids.filter((id) => id in noLists)).toEqual([]);
    expect(ids).toHaveLength(49);
    const known = new Map(byId(allRoutes));
    for (const id of Object.keys(noLists)) {
      const route = known.get(id);
      expect([id, route && hasRecords(responseFields(route))]).toEqual([id, true]);
    }
  });

  it.each(byId(lists))('%s documents data and the whole pagination', (_id, route) => {
    const fields = responseFields(route);
    expect(resolve(fields.data)).toMatchObject({ type: 'array' });
    const pagination = resolve(fields.pagination);
    const names = ['limit', 'total', 'offset', 'has_more', 'next_cursor'];
    expect(Object.keys(pagination.properties as Json)).toEqual(expect.arrayContaining(names));
    expect(pagination.required).toEqual(expect.arrayContaining(names));
  });

  it.each(byId(lists))('%s shows the envelope in its example', (_id, { responses, example }) => {
    const [shown] = [example.response as { data: unknown; pagination: Json }];
    expect(responses[200]?.safeParse(shown).error).toBeUndefined();
    expect(Object.keys(shown.pagination)).toEqual(expect.arrayContaining(['next_cursor', 'limit']));
  });

  it.each(byId(lists))(
    '%s is not stored for an Idempotency-Key, without its query',
    (_id, route) => {
      expect(route.idempotent ?? false).toBe(false);
    },
  );
});
