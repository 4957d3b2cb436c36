import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { engines, type Service, startService } from '../../support/service.ts';

describe.each(engines)('POST /memories on %s', (engine) => {
  let service: Service;
  beforeAll(async () => {
    service = await startService(engine);
  });
  afterAll(() => service.stop());

  it('answers the whole memory with the published defaults', async () => {
    const { client } = await service.account();
    const memory = await client.memories.create({ body: { content: 'Ana prefers tea.' } });
    expect(memory).toEqual({
      id: expect.stringMatching(
        /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
      ),
      content: 'Ana prefers tea.',
      content_type: 'text',
      space_id: null,
      session_id: null,
      tags: [],
      metadata: {},
      priority: 0,
      salience: null,
      is_pinned: false,
      is_deleted: false,
      protection_level: 'none',
      quality_score: null,
      occurred_at: null,
      verified_at: null,
      deleted_at: null,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      updated_at: memory.created_at,
    });
  });

  it('finds the memory by a paraphrase in the very next search', async () => {
    const { client } = await service.account();
    const content = 'The car would not start because its battery was dead.';
    const { id } = await client.memories.create({ body: { content } });
    const { results } = await client.search.get({ query: { q: 'why did the vehicle fail?' } });
    expect(results.map((result) => result.id)).toEqual([id]);
  });
});
