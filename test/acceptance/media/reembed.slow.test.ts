import type { AudioSegmentResult } from '@mneme/contract';
import { describe, expect, it } from 'vitest';
import type { Transcriber } from '../../../packages/server/src/providers/transcription/index.ts';
import { generateAudio } from '../../support/generated-media.ts';
import { createDataLocation } from '../../support/server-process.ts';
import { oneEngine } from '../../support/service.ts';
import { runReembedding, startServiceAt, vectorCounts } from '../reembed/started-service.ts';
import { TinyEmbedder } from '../reembed/tiny-embedder.ts';
import { runVerification } from '../verify/run-verification.ts';

const spokenSegment = (start: number, text: string) => ({
  ...{ start, end: start + 1, text },
  ...{ speaker: null, confidence: null },
});
const listener: Transcriber = {
  provider: 'command',
  model: 'listener',
  supportedHints: new Set(),
  secondsMax: 60,
  transcribe: async () => ({
    language: 'en',
    languageConfidence: null,
    segments: [
      spokenSegment(0, 'The ferry leaves at noon.'),
      spokenSegment(1, 'Bring the red folder.'),
    ],
  }),
};
const transcribers = [listener];

describe.each(oneEngine)('segments under another embedding model on %s', (engine) => {
  it('are found before, during and after the change, by vectors of their own', async () => {
    const location = await createDataLocation(engine);
    const first = await startServiceAt(location, { transcribers });
    const form = new FormData();
    form.set('file', new Blob([new Uint8Array(await generateAudio('tone.ogg', 3))]), 'tone.ogg');
    const { key } = await first.client.keys.create({ body: { name: 'upload' } });
    const uploaded = await fetch(new URL('/v1/memories', first.running.url), {
      method: 'POST',
      headers: { authorization: `Bearer ${key}` },
      body: form,
    });
    expect(uploaded.status).toBe(201);
    await first.running.context.worker.drain();
    expect(Object.values(await vectorCounts(first))).toEqual([3]);
    await first[Symbol.asyncDispose]();

    const embedder = new TinyEmbedder();
    const service = await startServiceAt(location, { transcribers, embedder });
    const find = async () =>
      (
        await service.client.search.post({
          body: { q: 'red folder', include: ['audio'], explain: true },
        })
      ).results as AudioSegmentResult[];
    expect((await find())[0]?.text).toBe('Bring the red folder.');
    expect(await runReembedding(service)).toMatchObject({
      status: 'completed',
      embedded: 3,
      erased: 3,
    });
    expect(await vectorCounts(service)).toEqual({ 'tiny@1': 3 });
    expect((await find())[0]).toMatchObject({
      text: 'Bring the red folder.',
      why_matched: { semantic_rank: 1 },
    });
    expect(await runVerification({ ...service, operator: () => service.client })).toMatchObject({
      faults: [],
    });
    await service[Symbol.asyncDispose]();
    await location.remove();
  });
});
