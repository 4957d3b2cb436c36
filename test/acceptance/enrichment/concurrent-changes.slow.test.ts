import type { Client } from '@mneme/sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { engines, type Service, startService } from '../../support/service.ts';
import { createMemory } from '../memories/memory-requests.ts';

const notes = [
  'Deploy release 4.2 of the billing service by Friday 2026-05-08.',
  'It might be somehow okay or something.',
  'Ana Costa works at Acme Corp in Lisbon and reports to Björn Larsen.',
];
const note = (i: number): string => `${notes[i % notes.length]} (${i})`;

describe.each(engines)('enrichment beside changes on %s', (engine) => {
  let service: Service;
  beforeAll(async () => {
    service = await startService(engine, { extractsInBackground: true });
  });
  afterAll(() => service.stop());

  it('fails nobody, and leaves no score of another content', async () => {
    const { client } = await service.createAccount();
    const ids: string[] = [];
    for (let i = 0; i < 12; i += 1) ids.push((await createMemory(client, note(i))).id);
    const statuses = new Map<number, number>();
    const ask = async (method: string, path: string, body?: object): Promise<void> => {
      const request = { method, path: `/memories/${path}`, ...(body ? { body } : {}) };
      const { status } = await client.request(request as Parameters<Client['request']>[0]);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    };
    const operations = ['topics', 'summary', 'entities', 'quality'];
    const rounds = Array.from({ length: 4 }, (_, round) => round);
    await Promise.all(
      ids.map(async (id, i) => {
        for (const round of rounds) {
          const content = note(i + round * 100 + 1);
          await Promise.all([
            ask('PATCH', id, { content }),
            ask('POST', `${id}/enrich`, { operations }),
            ask('GET', `${id}/quality?recalculate=true`),
            ask('GET', `${id}/topics?refresh=true`),
            round === 3 && i % 4 === 0 ? ask('DELETE', id) : ask('POST', `${id}/pin`),
          ]);
        }
      }),
    );
    for (const status of statuses.keys()) expect([200, 204, 404, 409]).toContain(status);
    expect(statuses.get(200)).toBeGreaterThan(100);
    await service.running.context.extractionWorker.drain();
    const { data } = await client.memories.list({ query: { limit: 100 } });
    expect(data).toHaveLength(9);
    for (const { id, quality_score } of data) {
      const kept = await client.memories.quality({ params: { id } });
      expect(quality_score).toBe(kept.quality_score);
    }
  });
});
