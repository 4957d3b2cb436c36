import { type Client, createClient } from '@mneme/sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testSeed } from '../../support/run-count.ts';
import { engines, type Service, startService } from '../../support/service.ts';
import { createSeededRandom, type SeededRandom } from '../durability/seeded-random.ts';
import { listEvents } from '../memories/memory-requests.ts';

/** A network that lets go of each answer after some bytes, also in the middle of an event. */
const breaking =
  (chance: SeededRandom, broken: () => void): typeof fetch =>
  async (...request) => {
    const response = await fetch(...request);
    if (!response.ok || !response.body) return response;
    let left = chance.integer(50, 20_000);
    const cut = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        controller.enqueue(chunk.subarray(0, left));
        left -= chunk.length;
        if (left > 0) return;
        broken();
        controller.error(new TypeError('terminated'));
      },
    });
    return new Response(response.body.pipeThrough(cut), response);
  };

async function write(client: Client, writer: number): Promise<void> {
  for (let turn = 0; turn < 15; turn += 1) {
    const content = `Writer ${writer}, turn ${turn}.`;
    if (turn % 3 === 0) {
      const memories = [0, 1, 2, 3].map((i) => ({ content: `${content} Item ${i}.` }));
      await client.memories.bulkCreate({ body: { memories } });
    } else await client.memories.create({ body: { content } });
  }
}

describe.each(engines)('following events on %s', (engine) => {
  let service: Service;
  beforeAll(async () => {
    service = await startService(engine);
  });
  afterAll(() => service.stop());

  it('tells each once and in order while many write, over connections that break', async () => {
    const { client, key } = await service.createAccount();
    let breaks = 0;
    const follower = createClient({
      url: service.url,
      apiKey: key,
      random: () => 0,
      fetch: breaking(createSeededRandom(testSeed), () => {
        breaks += 1;
      }),
    });
    const cursor = (await client.events.list()).next_cursor ?? '';
    const writing = Promise.all([0, 1, 2, 3, 4, 5].map((writer) => write(client, writer)));
    // 5 turns of 4 and one for all, 10 of 1: for each of 6 writers.
    const count = 6 * (5 * 5 + 10);
    const seen: unknown[] = [];
    for await (const { event } of follower.follow({ cursor })) {
      seen.push(event);
      if (seen.length === count) break;
    }
    await writing;
    expect(seen).toEqual(await listEvents(client));
    expect(breaks).toBeGreaterThan(3);
  });
});
