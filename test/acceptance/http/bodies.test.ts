import { limits } from '@mneme/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { engines, type Service, startService } from '../../support/service.ts';

const { jsonEntriesMax, fieldErrorsMax } = limits;

describe.each(engines)('bodies of many entries on %s', (engine) => {
  let service: Service;
  beforeAll(async () => {
    service = await startService(engine);
  });
  afterAll(() => service.stop());

  const post = async (path: string, body: unknown) => {
    const response = await fetch(`${service.url}/v1${path}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${service.adminKey}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify(body),
    });
    const text = await response.text();
    return { status: response.status, text, body: JSON.parse(text) as unknown };
  };

  const many = Array<string>(jsonEntriesMax + 1).fill('');
  const keys = Object.fromEntries(many.map((_, i) => [`k${i}`, i]));
  it.each<[what: string, path: string, body: unknown]>([
    ['a list', '/memories', { content: 'a', embedding: many }],
    ['the list of a batch', '/memories/bulk', { memories: [{ content: 'a', embedding: many }] }],
    ['an object', '/memories', keys],
    ['an object deep inside', '/memories', { content: 'a', metadata: { one: [{ two: keys }] } }],
  ])('%s beyond the limit is refused as a whole', async (_what, path, body) => {
    const refused = await post(path, body);
    expect(refused).toMatchObject({ status: 413, body: { error: { code: 'payload_too_large' } } });
    expect(refused.text).toContain(String(jsonEntriesMax));
    expect(refused.text.length).toBeLessThan(1_000);
  });

  it('of faulty fields so many are told as anybody reads', async () => {
    const embedding = many.slice(1);
    const { status, body } = await post('/memories', { content: 'a', embedding });
    const { error } = body as { error: { details: { fields: object } } };
    expect(status).toBe(422);
    expect(Object.keys(error.details.fields)).toHaveLength(fieldErrorsMax);
  });

  it('8 MB of faulty entries are not looked at one by one', async () => {
    const embedding = Array(2_500_000).fill('');
    const { status } = await post('/memories', { content: 'a', embedding });
    expect(status).toBe(413);
  });
});
