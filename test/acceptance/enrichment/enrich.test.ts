import type { EnrichedMemory } from '@mneme/contract';
import type { Client } from '@mneme/sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { engines, type Service, startService } from '../../support/service.ts';
import { absentId, createMemory, expectError, listEvents } from '../memories/memory-requests.ts';

const content = `Ana Costa works at Acme Corp in Lisbon. She deploys the billing service on Fridays
  and reports to Björn Larsen. The release notes are kept in Notion.`;
const operations = ['topics', 'summary', 'entities', 'quality'] as const;

const enrich = async (client: Client, id: string, asked = [...operations] as string[]) =>
  (await client.memories.enrich({
    params: { id },
    body: { operations: asked as never },
  })) as EnrichedMemory;

describe.each(engines)('POST /memories/:id/enrich on %s', (engine) => {
  let service: Service;
  beforeAll(async () => {
    service = await startService(engine);
  });
  afterAll(() => service.stop());
  const fresh = async () => (await service.createAccount()).client;

  it('answers what was asked for, each with success and data, and nothing else', async () => {
    const client = await fresh();
    const { id } = await createMemory(client, content);
    const { enrichments, ...rest } = await enrich(client, id);
    expect(rest).toEqual({
      memory_id: id,
      processed_at: expect.stringMatching(/Z$/),
      model: 'local',
    });
    const ratio = expect.any(Number);
    expect(enrichments).toEqual({
      topics: { success: true, data: expect.any(Array) },
      summary: { success: true, data: expect.any(String) },
      entities: {
        success: true,
        data: expect.arrayContaining([
          { name: 'Ana Costa', type: 'person', confidence: ratio },
          { name: 'Acme Corp', type: 'organization', confidence: ratio },
        ]),
      },
      quality: {
        success: true,
        data: {
          score: ratio,
          factors: { specificity: ratio, clarity: ratio, actionability: ratio },
        },
      },
    });
    const one = await enrich(client, id, ['summary', 'summary']);
    expect(Object.keys(one.enrichments)).toEqual(['summary']);
  });

  it('agrees with topics, quality, the memory, and the knowledge graph', async () => {
    const client = await fresh();
    const { id } = await createMemory(client, content);
    const { enrichments } = await enrich(client, id);
    const query = { min_relevance: 0 };
    const { topics } = await client.memories.topics({ params: { id }, query });
    expect(enrichments.topics?.data).toEqual(topics);
    const { quality_score } = await client.memories.quality({ params: { id } });
    expect(enrichments.quality?.data?.score).toBe(quality_score);
    expect((await client.memories.get({ params: { id } })).quality_score).toBe(quality_score);
    const { entities } = await client.knowledge.entities({ query: { type: 'person' } });
    expect(entities.map(({ name }) => name)).toContain('Ana Costa');
  });

  it('tells memory.updated with changes ["enrichment"] each time it is done', async () => {
    const client = await fresh();
    const { id, ...before } = await createMemory(client, content);
    const { enrichments } = await enrich(client, id, ['quality']);
    const [event, ...others] = await listEvents(client, 'memory.updated');
    expect(others).toEqual([]);
    expect(event).toMatchObject({
      changes: ['enrichment'],
      data: { ...before, id, quality_score: enrichments.quality?.data?.score },
      previous_data: { ...before, id, quality_score: null },
    });
    await enrich(client, id, ['quality']);
    expect(await listEvents(client, 'memory.updated')).toHaveLength(2);
  });

  it('keeps what was made of the same content', async () => {
    const client = await fresh();
    const { id } = await createMemory(client, content);
    const first = await enrich(client, id);
    await client.memories.update({ params: { id }, body: { priority: 2 } });
    expect(await enrich(client, id)).toEqual(first);
    await client.memories.update({ params: { id }, body: { content: 'Bees live in Porto.' } });
    const changed = await enrich(client, id);
    expect(changed.processed_at > first.processed_at).toBe(true);
    expect(changed.enrichments.summary?.data).toBe('Bees live in Porto.');
  });

  it('answers 202 at once with Prefer: respond-async, and the job does it', async () => {
    const client = await fresh();
    const { id } = await createMemory(client, content);
    const { status, body, headers } = await client.request({
      method: 'POST',
      path: `/memories/${id}/enrich`,
      body: { operations: ['quality', 'summary'] },
      headers: { prefer: 'wait=5, Respond-Async; x=1' },
    });
    expect(status).toBe(202);
    expect(headers.get('preference-applied')).toBe('respond-async');
    expect(body).toEqual({ job_id: expect.any(String), memory_id: id, status: 'queued' });
    const { job_id } = body as { job_id: string };
    const job = await eventually(
      () => client.jobs.get({ params: { id: job_id } }),
      (one) => one.status === 'completed',
    );
    expect(job).toMatchObject({ kind: 'memories.enrich', error: null });
    const [event] = await listEvents(client, 'memory.updated');
    expect(event?.changes).toEqual(['enrichment']);
    const { quality_score } = await client.memories.get({ params: { id } });
    expect(event?.data.quality_score).toBe(quality_score);
    expect(quality_score).not.toBeNull();
  });

  it('makes one job for one Idempotency-Key', async () => {
    const client = await fresh();
    const { id } = await createMemory(client, content);
    const ask = () =>
      client.request({
        method: 'POST',
        path: `/memories/${id}/enrich`,
        body: { operations: ['quality'] },
        headers: { prefer: 'respond-async', 'idempotency-key': `enrich ${id}` },
      });
    const first = await ask();
    const again = await ask();
    expect([again.status, again.body]).toEqual([202, first.body]);
    await service.running.context.worker.drain();
    expect(await listEvents(client, 'memory.updated')).toHaveLength(1);
  });

  it('ends a job whose memory went meanwhile, and tells nothing', async () => {
    const client = await fresh();
    const { id } = await createMemory(client, content);
    const queued = await client.request({
      method: 'POST',
      path: `/memories/${id}/enrich`,
      body: { operations: ['summary'] },
      headers: { prefer: 'respond-async' },
    });
    await client.memories.remove({ params: { id } });
    const { job_id } = queued.body as { job_id: string };
    await eventually(
      () => client.jobs.get({ params: { id: job_id } }),
      (one) => one.status === 'completed',
    );
  });

  it.each([
    [{}, 'operations'],
    [{ operations: [] }, 'operations'],
    [{ operations: ['mood'] }, 'operations.0'],
    [{ operations: 'topics' }, 'operations'],
    [{ operations: ['topics'], model: 'x' }, 'model'],
  ])('refuses %j by the name of the field', async (body, field) => {
    const client = await fresh();
    const { id } = await createMemory(client, 'x');
    const answer = await client.request({ method: 'POST', path: `/memories/${id}/enrich`, body });
    expect(answer.status).toBe(422);
    expect(answer.body).toMatchObject({ error: { details: { fields: { [field]: {} } } } });
  });

  it('is 404 for none, 403 without scope or space, 409 for a deleted one', async () => {
    const [client, stranger] = [await fresh(), await fresh()];
    const { id } = await createMemory(client, content);
    const key = async (body: object) =>
      service.client((await client.keys.create({ body: { name: 'k', ...body } as never })).key);
    const code = async (asker: Client, named: string) =>
      (await expectError(enrich(asker, named, ['topics']))).code;
    expect(await code(client, absentId)).toBe('memory_not_found');
    expect(await code(client, 'nonsense')).toBe('memory_not_found');
    expect(await code(stranger, id)).toBe('memory_not_found');
    expect(await code(await key({ scopes: ['memories:read'] }), id)).toBe(
      'insufficient_permissions',
    );
    const space = await client.spaces.create({ body: { name: 'other' } });
    const limited = await key({ scopes: ['memories:write'], space_ids: [space.id] });
    expect(await code(limited, id)).toBe('space_access_denied');
    await client.memories.remove({ params: { id }, query: { soft: true } });
    expect(await code(client, id)).toBe('conflict');
    expect(await listEvents(client, 'memory.updated')).toEqual([]);
  });
});
