import type { Transcript, VideoInterpretation } from '@mneme/contract';
import { describe, expect, it } from 'vitest';
import {
  type ApiCredentials,
  createForm,
  parseJson,
  sendRequest,
  uploadForm,
} from '../acceptance/media/http-requests.ts';
import { eventually } from '../support/eventually.ts';
import { generateVideo } from '../support/generated-media.ts';
import { jsonReply as reply, startLanguageEndpoint } from '../support/language-endpoint.ts';
import { createDataLocation, startServerProcess } from '../support/server-process.ts';
import { engines } from '../support/service.ts';
import { startSpeechEndpoint, verboseJsonReply } from '../support/speech-endpoint.ts';

const rounds = Number(process.env.MNEME_TEST_ROUNDS ?? 20);
/** A job whose process is dead waits for its lease of a minute. */
const patienceMs = 180_000;
const said = [
  { start: 0, end: 1, text: 'The ferry leaves at noon.' },
  { start: 1, end: 2, text: 'The harbour is closed.' },
];

describe.each(engines)(`${rounds} kills among transcripts and interpretations on %s`, (engine) => {
  it('leave each of them whole, once, and found', async () => {
    await using speech = await startSpeechEndpoint();
    await using sight = await startLanguageEndpoint();
    speech.setDefaultReply(() => verboseJsonReply(said));
    sight.setDefaultReply(() => reply({ description: 'A ferry at a pier.', labels: ['ferry'] }));
    const place = await createDataLocation(engine);
    const env = {
      MNEME_PORT: '0',
      MNEME_DATA_DIR: place.dataDir,
      MNEME_TRANSCRIPTION_URL: speech.url,
      MNEME_TRANSCRIPTION_MODEL: 'hears-1',
      MNEME_VISION_URL: sight.url,
      MNEME_VISION_MODEL: 'sees-1',
      PATH: process.env.PATH ?? '',
      ...(place.databaseUrl === null ? {} : { MNEME_DATABASE_URL: place.databaseUrl }),
    };
    const film = await generateVideo('talk.mp4', 2);
    const ids: string[] = [];
    const requests = (): number => speech.requests.length + sight.requests.length;
    try {
      for (let round = 0; round < rounds; round += 1) {
        const server = await startServerProcess(place, { env });
        const asked = { url: server.url, key: server.adminKey };
        const told = await uploadForm(asked, createForm(film, { allow_duplicate: 'true' }));
        ids.push(parseJson(told).id);
        const path = `/v1/memories/${parseJson(told).id}/video/interpret`;
        expect((await sendRequest(asked, path, { method: 'POST' })).status).toBe(202);
        // Sometimes before anybody is asked, sometimes while, sometimes behind a few answers.
        const enough = requests() + (round % 4);
        await eventually(
          async () => requests(),
          (count) => count >= enough,
          patienceMs,
        );
        await server.kill('SIGKILL', 'group');
      }
      await using server = await startServerProcess(place, { env });
      const asked = { url: server.url, key: server.adminKey };
      for (const id of ids) await expectWhole(asked, id);
      const query = { q: 'ferry harbour', include: ['audio' as const] };
      const { facets } = await server.client().search.get({ query });
      expect(facets.audio_segments).toBe(ids.length * (said.length + 1));
      await server.kill('SIGTERM');
    } finally {
      await place.remove();
    }
  });
});

async function expectWhole(asked: ApiCredentials, id: string): Promise<void> {
  const made = async <T>(path: string): Promise<T> => {
    const told = await eventually(
      () => sendRequest(asked, `/v1/memories/${id}/${path}`),
      ({ status }) => status !== 202,
      patienceMs,
    );
    expect(told.status).toBe(200);
    return parseJson<T>(told);
  };
  const { segments, full_transcript: words } = await made<Transcript>('transcript');
  expect(segments.map(({ text }) => text)).toEqual(said.map(({ text }) => text));
  expect((await made<VideoInterpretation>('video/interpretation')).frames).toHaveLength(1);
  const memory = parseJson(await sendRequest(asked, `/v1/memories/${id}`));
  expect(memory.content.split(words)).toHaveLength(2);
}
