import { type FieldErrorCode, fieldErrorCodes } from '@mneme/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { oneEngine, type Service, startService } from '../../support/service.ts';

type Fields = Record<string, { code: FieldErrorCode; message: string; received?: unknown }>;

describe.each(oneEngine)('faulty fields on %s', (engine) => {
  let service: Service;
  let client: ReturnType<Service['client']>;
  beforeAll(async () => {
    service = await startService(engine);
    client = service.client();
  });
  afterAll(() => service.stop());

  const faults = async (
    method: string,
    path: string,
    body?: unknown,
    query?: Record<string, unknown>,
  ): Promise<Fields> => {
    const answer = await client.request({ method, path, body, query });
    expect(answer.status).toBe(422);
    const { error } = answer.body as { error: { code: string; details: { fields: Fields } } };
    expect(error.code).toBe('validation_error');
    return error.details.fields;
  };

  it('every code of the catalogue can come back, each with a message', async () => {
    const fields = await faults('POST', '/memories', {
      type: 'poem',
      tags: ['ok', 'x'.repeat(256), 5],
      priority: 11,
      space_id: 'mine',
      metadata: { deep: { text: 'a\u0000b' } },
      colour: 'red',
    });
    expect(
      Object.fromEntries(Object.entries(fields).map(([name, { code }]) => [name, code])),
    ).toEqual({
      content: 'required',
      type: 'invalid_enum_value',
      'tags.1': 'field_too_long',
      'tags.2': 'invalid_type',
      priority: 'invalid_range',
      space_id: 'invalid_format',
      'metadata.deep.text': 'invalid_characters',
      colour: 'unknown_field',
    });
    const codes = new Set(Object.values(fields).map(({ code }) => code));
    expect([...codes].sort()).toEqual([...fieldErrorCodes].sort());
    for (const { message } of Object.values(fields)) expect(message).toMatch(/\w/);
  });

  it('faults of query and body are reported together', async () => {
    const fields = await faults(
      'POST',
      '/memories/bulk',
      { memories: [] },
      { atomic: 'yes', x: 1 },
    );
    expect(fields).toMatchObject({
      memories: { code: 'invalid_range', min: 1 },
      atomic: { code: 'invalid_type' },
      x: { code: 'unknown_field' },
    });
  });

  it('the path to a nested field is dotted, with indexes', async () => {
    const ids = ['019b8d1c-3a40-7c11-9d3e-5f0a4b6c7d8e', 'nonsense'];
    const body = { ids, set: { tags: ['ok', ''], extra: 1 } };
    const fields = await faults('PATCH', '/memories/bulk', body);
    expect(Object.keys(fields).sort()).toEqual(['ids.1', 'set.extra', 'set.tags.1']);
  });

  it('what was received is shown when it is short, with the bounds', async () => {
    const fields = await faults('GET', '/memories', undefined, { limit: 500, space_id: 'mine' });
    expect(fields).toMatchObject({
      limit: { received: 500, max: 100 },
      space_id: { received: 'mine' },
    });
    const long = await faults('GET', '/memories', undefined, { space_id: 'x'.repeat(500) });
    expect(long.space_id).not.toHaveProperty('received');
  });

  it.each([
    ['GET', '/memories/019b8d1c-3a40-7c11-9d3e-5f0a4b6c7d8e'],
    ['GET', '/spaces/019b8d1c-3a40-7c11-9d3e-5f0a4b6c7d8e'],
    ['DELETE', '/spaces/019b8d1c-3a40-7c11-9d3e-5f0a4b6c7d8e'],
    ['GET', '/jobs/019b8d1c-3a40-7c11-9d3e-5f0a4b6c7d8e'],
    ['GET', '/health'],
    ['GET', '/memories'],
    ['GET', '/spaces'],
    ['GET', '/events'],
  ])('%s %s refuses an unknown query field, also where none is taken', async (method, path) => {
    const fields = await faults(method, path, undefined, { speling: 'x', __proto: 1 });
    expect(fields).toEqual({
      speling: { code: 'unknown_field', message: 'is not a known field' },
      __proto: { code: 'unknown_field', message: 'is not a known field' },
    });
  });

  it('a field called __proto__ is unknown like any other', async () => {
    const fields = await faults('POST', '/memories', '{"content":"x","__proto__":{"type":"poem"}}');
    expect(Object.keys(fields)).toEqual(['__proto__']);
  });

  it.each(['1', '0', 'yes', 'TRUE', 'True', ''])(
    'only "true" and "false" are booleans in a query, not %j',
    async (value) => {
      const fields = await faults('GET', '/memories', undefined, { pinned: value });
      expect(fields).toMatchObject({ pinned: { code: 'invalid_type' } });
    },
  );

  it('a query field that is given twice is refused where it is no list', async () => {
    const answer = await client.request({ method: 'GET', path: '/memories?limit=5&limit=6' });
    expect(answer).toMatchObject({
      status: 422,
      body: { error: { details: { fields: { limit: { code: 'invalid_type' } } } } },
    });
  });

  it('text that stands for itself is never read as a number or a list', async () => {
    const { status } = await client.request({
      method: 'GET',
      path: '/search',
      query: { q: '5,7' },
    });
    expect(status).toBe(200);
  });
});
