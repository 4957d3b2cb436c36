import type { AudioSegmentResult, VideoInterpretation } from '@mneme/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { generateAudio, generateWithFfmpeg as madeFile } from '../../support/generated-media.ts';
import {
  type LanguageEndpoint,
  jsonReply as reply,
  startLanguageEndpoint,
} from '../../support/language-endpoint.ts';
import { oneEngine, type Service, startService } from '../../support/service.ts';
import { type ApiCredentials, errorCodeOf, parseJson, sendRequest } from './http-requests.ts';
import { uploadRecording, waitForResult } from './transcription-service.ts';

/** A default frame description. */
const anything = reply({ description: 'Something.', labels: [] });

/** Three scenes of two seconds each, without audio. */
const scenes = (): Promise<Buffer> => {
  const colours = ['red', 'white', 'black'].flatMap((colour) => [
    ...['-f', 'lavfi', '-i', `color=${colour}:size=160x120:rate=10:duration=2`],
  ]);
  return madeFile('scenes.mp4', ...colours, '-filter_complex', '[0][1][2]concat=n=3', '-g', '10');
};

describe.each(oneEngine)('what a video shows on %s', (engine) => {
  let endpoint: LanguageEndpoint;
  let service: Service;
  let film: Buffer;
  beforeAll(async () => {
    endpoint = await startLanguageEndpoint();
    const env = { MNEME_VISION_URL: endpoint.url, MNEME_VISION_MODEL: 'sees-1' };
    service = await startService(engine, { env });
    film = await scenes();
    endpoint.setDefaultReply(() => anything);
  });
  afterAll(async () => {
    await service.stop();
    await endpoint[Symbol.asyncDispose]();
  });

  const account = async () => ({ ...(await service.createAccount()), url: service.url });
  const interpret = (credentials: ApiCredentials, id: string) =>
    sendRequest(credentials, `/v1/memories/${id}/video/interpret`, { method: 'POST' });
  const pathOf = (id: string): string => `/v1/memories/${id}/video/interpretation`;

  it('is described frame by frame, one for each scene, and found with its place', async () => {
    const credentials = await account();
    const id = await uploadRecording(credentials, film, { title: 'Colours' });
    endpoint.queueReplies(
      reply({ description: 'A red wall.', labels: ['wall'] }),
      reply({ description: 'A whiteboard with a roadmap.', labels: ['whiteboard', 'office'] }),
      reply({ description: 'A dark room.', labels: [] }),
    );
    const response = await interpret(credentials, id);
    expect(response.status).toBe(202);
    expect(parseJson<object>(response)).toMatchObject({ memory_id: id, status: 'queued' });
    const seen = parseJson<VideoInterpretation>(await waitForResult(credentials, pathOf(id)));
    expect(seen).toMatchObject({ memory_id: id, model: 'sees-1' });
    expect(seen.frames.map(({ description }) => description)).toEqual([
      'A red wall.',
      'A whiteboard with a roadmap.',
      'A dark room.',
    ]);
    expect(seen.frames[1]?.labels).toEqual(['whiteboard', 'office']);
    for (const [i, { time }] of seen.frames.entries()) {
      expect(Math.abs(time - i * 2)).toBeLessThan(0.6);
    }
    expect(seen.summary).not.toBe('');
    const { results } = await credentials.client.search.get({ query: { q: 'roadmap office' } });
    const [found] = results as AudioSegmentResult[];
    expect(found).toMatchObject({
      type: 'audio_segment',
      audio_file_id: id,
      modality: 'frame',
      text: 'A whiteboard with a roadmap.',
    });
    expect(Math.abs((found?.end_time ?? 0) - 4)).toBeLessThan(0.6);
  });

  it('is 202 while it is looked at, and asking meanwhile is 409', async () => {
    const credentials = await account();
    const id = await uploadRecording(credentials, film);
    expect([(await sendRequest(credentials, pathOf(id))).status]).toEqual([404]);
    await interpret(credentials, id);
    const again = await interpret(credentials, id);
    expect([again.status, errorCodeOf(again)]).toEqual([409, 'conflict']);
    expect((await waitForResult(credentials, pathOf(id))).status).toBe(200);
  });

  it('that cannot be told is 503 with the reason, and may be asked for again', async () => {
    const credentials = await account();
    const id = await uploadRecording(credentials, film);
    endpoint.queueReplies({ status: 400, body: '{"error":{"code":"too_dark"}}' });
    await interpret(credentials, id);
    const failed = await waitForResult(credentials, pathOf(id));
    expect([failed.status, errorCodeOf(failed)]).toEqual([503, 'service_unavailable']);
    expect(failed.bytes.toString('utf8')).toContain('vision model: 400 too_dark');
    await interpret(credentials, id);
    expect((await waitForResult(credentials, pathOf(id))).status).toBe(200);
  });

  it('is asked of videos alone', async () => {
    const credentials = await account();
    const id = await uploadRecording(credentials, await generateAudio('tone.ogg', 1));
    for (const response of [
      await interpret(credentials, id),
      await sendRequest(credentials, pathOf(id)),
    ]) {
      expect([response.status, errorCodeOf(response)]).toEqual([400, 'invalid_request']);
    }
  });
});

describe.each(oneEngine)('without anything that sees on %s', (engine) => {
  it('an interpretation is 503 that says what to configure', async () => {
    const service = await startService(engine);
    const credentials = { ...(await service.createAccount()), url: service.url };
    const id = await uploadRecording(credentials, await scenes());
    const refused = await sendRequest(credentials, `/v1/memories/${id}/video/interpret`, {
      method: 'POST',
    });
    expect([refused.status, errorCodeOf(refused)]).toEqual([503, 'service_unavailable']);
    expect(refused.bytes.toString('utf8')).toContain('MNEME_VISION_');
    await service.stop();
  });
});
