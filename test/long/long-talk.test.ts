import { routes } from '@mneme/contract';
import { describe, expect, it } from 'vitest';
import {
  createForm,
  parseJson,
  sendRequest,
  uploadForm,
} from '../acceptance/media/http-requests.ts';
import { eventually } from '../support/eventually.ts';
import { generateAudio } from '../support/generated-media.ts';
import { engines, startService } from '../support/service.ts';

const counts = (process.env.MNEME_TEST_SEGMENTS ?? '5000,50000').split(',').map(Number);
const stores = routes.memories.create.id;
const words = [
  'ferry',
  'harbour',
  'noon',
  'tide',
  'pier',
  'storm',
  'anchor',
  'sail',
  'gull',
  'rope',
];
const sentence = (i: number): string =>
  Array.from({ length: 9 }, (_, j) => words[(i * 7 + j * (1 + (i % 3))) % words.length]).join(' ');

describe.each(engines)('a talk of hours on %s', (engine) => {
  it.each(counts)('of %i segments holds nobody up for a second', async (count) => {
    const segments = Array.from({ length: count }, (_, i) => ({
      start: i / 1_000,
      end: (i + 1) / 1_000,
      text: `${sentence(i)} ${i}.`,
      speaker: null,
      confidence: null,
    }));
    const talking = {
      provider: 'openai' as const,
      model: 'talks-1',
      supportedHints: new Set<never>(),
      secondsMax: 100,
      transcribe: async () => ({ language: 'en', languageConfidence: 1, segments }),
    };
    const service = await startService(engine, { overrides: { transcribers: [talking] } });
    try {
      const { key, client } = await service.createAccount();
      const other = await service.createAccount();
      const asked = { url: service.url, key };
      const sound = await generateAudio('talk.wav', 2);
      const { id } = parseJson(await uploadForm(asked, createForm(sound)));
      let slowest = 0;
      let isOver = false;
      const writing = [client, other.client].map(async (one) => {
        for (let i = 0; !isOver; i += 1) {
          const begun = performance.now();
          await one.memories.create({ body: { content: `beside it ${i}` } });
          slowest = Math.max(slowest, performance.now() - begun);
        }
      });
      const begun = performance.now();
      await eventually(
        () => sendRequest(asked, `/v1/memories/${id}/transcript`),
        ({ status }) => status !== 202,
        900_000,
      );
      const seconds = (performance.now() - begun) / 1_000;
      isOver = true;
      await Promise.all(writing);
      process.stdout.write(
        `${engine}, ${stores}: ${count} segments in ${seconds.toFixed(1)} s, ` +
          `slowest write beside it ${slowest.toFixed(0)} ms\n`,
      );
      const { facets } = await client.search.get({ query: { q: 'ferry', include: ['audio'] } });
      expect(facets.audio_segments).toBeGreaterThan(0);
      expect(slowest).toBeLessThan(1_000);
      const params = { id };
      for (const [what, change] of [
        ['tagged', () => client.memories.update({ params, body: { tags: ['talk'] } })],
        ['deleted softly', () => client.memories.remove({ params, query: { soft: true } })],
        ['restored', () => client.memories.restore({ params })],
        ['deleted', () => client.memories.remove({ params })],
      ] as const) {
        const before = performance.now();
        const changed = change();
        await other.client.memories.create({ body: { content: `beside it being ${what}` } });
        const beside = performance.now() - before;
        await changed;
        const took = performance.now() - before;
        process.stdout.write(
          `  ${what} in ${took.toFixed(0)} ms, a write beside it ${beside.toFixed(0)} ms\n`,
        );
      }
    } finally {
      await service.stop();
    }
  });
});
