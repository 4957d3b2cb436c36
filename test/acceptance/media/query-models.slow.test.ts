import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { generateAudio } from '../../support/generated-media.ts';
import {
  jsonReply,
  type LanguageEndpoint,
  startLanguageEndpoint,
} from '../../support/language-endpoint.ts';
import {
  type RerankEndpoint,
  scoreBy,
  startRerankEndpoint,
} from '../../support/query-model-service.ts';
import { oneEngine } from '../../support/service.ts';
import { verboseJsonReply } from '../../support/speech-endpoint.ts';
import {
  startTranscriptionService,
  type TranscriptionService,
  uploadRecording,
  waitForResult,
} from './transcription-service.ts';

const numbers = Array.from({ length: 9 }, (_, i) => i);
const numberOf = (text: string): number =>
  Number(/^(?:A wombat with the|The wombat) number (\d+) \w+[^.]*\.$/.exec(text)?.[1] ?? -1);

describe.each(oneEngine)(
  'recordings beside memories, with models at query time, on %s',
  (engine) => {
    let chat: LanguageEndpoint;
    let reranker: RerankEndpoint;
    let hearing: TranscriptionService;
    let client: Awaited<ReturnType<TranscriptionService['account']>>['client'];

    beforeAll(async () => {
      [chat, reranker] = [await startLanguageEndpoint(), await startRerankEndpoint()];
      hearing = await startTranscriptionService(engine, {
        MNEME_EMBEDDING_PROVIDER: 'static',
        MNEME_LLM_URL: chat.url,
        MNEME_LLM_MODEL: 'small-1',
        MNEME_LLM_REWRITE_TIMEOUT_MS: '20000',
        MNEME_RERANK_URL: reranker.url,
        MNEME_RERANK_TIMEOUT_MS: '20000',
      });
      const segments = numbers.map((i) => ({
        start: i / 2,
        end: i / 2 + 0.4,
        text: `The wombat number ${i} digs a tunnel.`,
      }));
      hearing.endpoint.setDefaultReply(() => verboseJsonReply(segments));
      const credentials = await hearing.account();
      ({ client } = credentials);
      const sound = await generateAudio('tone.ogg', 6);
      const id = await uploadRecording(credentials, sound, { title: 'Zoo' });
      await waitForResult(credentials, `/v1/memories/${id}/transcript`);
      const memories = numbers.map((i) => ({ content: `A wombat with the number ${i} sleeps.` }));
      await client.memories.bulkCreate({ body: { memories } });
    });
    afterAll(async () => {
      await hearing[Symbol.asyncDispose]();
      await chat[Symbol.asyncDispose]();
      await reranker[Symbol.asyncDispose]();
    });

    it('reorders each kind by itself, and fuses the kinds as before', async () => {
      reranker.reply = scoreBy(numberOf);
      chat.setReplies('rewrites', jsonReply({ queries: ['tunnel of a wombat'] }));
      for (const rewrite of [false, true]) {
        const body = { q: 'which wombat is that?', rewrite, limit: 5 };
        const all: { type: string; text: string }[] = [];
        for (let offset = 0; offset < 20; offset += 5) {
          const page = await client.search.post({ body: { ...body, offset } });
          expect(page.rerank?.status).toBe('applied');
          expect(page.rewrite?.status).toBe(rewrite ? 'applied' : undefined);
          expect(page.facets.audio_segments).toBe(9);
          all.push(
            ...page.results.map((one) => ({
              type: one.type,
              text: one.type === 'memory' ? one.content : one.text,
            })),
          );
        }
        expect(new Set(all.map(({ text }) => text)).size).toBe(all.length);
        for (const type of ['memory', 'audio_segment']) {
          const ofKind = all.filter((one) => one.type === type && numberOf(one.text) >= 0);
          expect(ofKind.map(({ text }) => numberOf(text))).toEqual(numbers.toReversed());
        }
      }
    });
  },
);
