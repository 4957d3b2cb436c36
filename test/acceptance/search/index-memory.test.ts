import type { Client } from '@mneme/sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { storeManyWords } from '../../support/large-account.ts';
import { parseMetrics } from '../../support/prometheus-text.ts';
import { engines, type Service, startService } from '../../support/service.ts';

const limitBytes = 1_048_576;
const memories = 250;

describe.each(engines)('MNEME_INDEX_MEMORY_MB on %s', (engine) => {
  let service: Service;
  const clients: Record<string, Client> = {};
  beforeAll(async () => {
    const env = { MNEME_INDEX_MEMORY_MB: '1' };
    service = await startService(engine, { env });
    for (const name of ['small', 'first', 'second']) {
      ({ client: clients[name] } = await service.createAccount());
    }
    await clients.small?.memories.create({ body: { content: 'A zebra in Lisbon' } });
    for (const name of ['first', 'second']) {
      await storeManyWords(clients[name] as Client, name, memories);
    }
  });
  afterAll(() => service.stop());

  const search = async (name: string, q: string) => {
    const { results } = await (clients[name] as Client).search.post({ body: { q, limit: 1 } });
    return results.map((result) => 'content' in result && result.content);
  };
  const readMetrics = async () => {
    const headers = { authorization: `Bearer ${service.adminKey}` };
    const response = await fetch(`${service.url}/metrics`, { headers });
    const families = parseMetrics(await response.text());
    return (name: string, source?: string): number =>
      families.get(name)?.samples.find(({ labels }) => labels.source === source)?.value ?? 0;
  };
  const loads = 'mneme_index_oversized_loads_total';

  it('does not keep larger accounts from being searched, nor others in memory', async () => {
    expect(await search('small', 'zebra')).toEqual(['A zebra in Lisbon']);
    const names = ['first', 'second'];
    for (const name of names) await search(name, 'zebra');
    const earlier = await readMetrics();
    expect(earlier(loads, 'database')).toBeGreaterThanOrEqual(2);
    for (const i of [7, 107, 207]) {
      for (const name of names) {
        const [content] = await search(name, `${name}${i}x3`);
        expect(content).toContain(`Zebra ${name}${i}x0 ${name}${i}x1 `);
      }
    }
    expect(await search('small', 'zebra')).toEqual(['A zebra in Lisbon']);

    const later = await readMetrics();
    expect(later('mneme_index_bytes_max')).toBe(limitBytes);
    expect(later('mneme_index_bytes')).toBeGreaterThan(limitBytes);
    expect(later(loads, 'database')).toBe(earlier(loads, 'database'));
    expect(later(loads, 'segment')).toBeGreaterThanOrEqual(earlier(loads, 'segment') + 5);
    expect(later('mneme_index_evictions_total')).toBe(0);
  });
});
