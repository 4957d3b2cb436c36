import { expect, it } from 'vitest';
import { clipUrl } from '../../../packages/server/src/domains/media/index.ts';
import { systemClock } from '../../../packages/server/src/kernel/clock.ts';
import { createFfmpeg } from '../../../packages/server/src/providers/ffmpeg/index.ts';
import { createProgramRunner } from '../../../packages/server/src/providers/program/index.ts';
import { eventually } from '../../support/eventually.ts';
import { createFakeClock } from '../../support/fake-clock.ts';
import { generateAudio } from '../../support/generated-media.ts';
import { startService } from '../../support/service.ts';
import { createForm, errorCodeOf, parseJson, sendRequest, uploadForm } from './http-requests.ts';

it('who finds all turns of FFmpeg taken waits, and is told in time to come again', async () => {
  // Only the FFmpeg queue uses this clock, not the service.
  const clock = createFakeClock();
  const run = createProgramRunner(systemClock);
  const settings = { ffmpeg: null, ffprobe: null, searchPath: process.env.PATH ?? '' };
  // A slow clip blocks the queue.
  const [begun, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const slow = createFfmpeg({ ...settings, ffmpegCallsMax: 1 }, clock, async (...call) => {
    if (call[1].includes('mp4')) {
      begun.resolve();
      await gate.promise;
    }
    return run(...call);
  });
  const service = await startService('embedded', { overrides: { ffmpeg: slow } });
  try {
    const credentials = { url: service.url, key: (await service.createAccount()).key };
    const sound = await generateAudio('tone.mp3', 9);
    const { id } = parseJson(await uploadForm(credentials, createForm(sound)));
    const clip = (start: number) =>
      sendRequest(credentials, clipUrl(service.running.context.app, id, start, start + 2));
    const first = clip(0);
    await begun.promise;
    const [second, other] = [
      clip(3),
      uploadForm(credentials, createForm(await generateAudio('other.mp3'))),
    ];
    const both = Promise.all([second, other]);
    let isOver = false;
    void both.finally(() => {
      isOver = true;
    });
    await eventually(
      async () => {
        clock.advance(1_000);
        return isOver;
      },
      (over) => over,
      30_000,
    );
    for (const response of await both) {
      expect([response.status, errorCodeOf(response)]).toEqual([503, 'service_unavailable']);
      expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
    }
    // The rejected upload has left no data, and can be retried.
    expect((await service.client(credentials.key).memories.list()).data).toHaveLength(1);
    gate.resolve();
    expect((await first).status).toBe(200);
    expect((await clip(3)).status).toBe(200);
  } finally {
    gate.resolve();
    await service.stop();
  }
});
