import type { AudioSegmentResult, VideoInterpretation } from '@mneme/contract';
import { describe, expect, it } from 'vitest';
import { parseJson, sendRequest } from '../acceptance/media/http-requests.ts';
import { uploadRecording, waitForResult } from '../acceptance/media/transcription-service.ts';
import { generateWithFfmpeg as madeFile } from '../support/generated-media.ts';
import { isAvailable } from '../support/requirements.ts';
import { engines, startService } from '../support/service.ts';

const slide = (text: string, size: number): string =>
  `drawtext=text='${text}':fontsize=${size}:x=80:y=160+${size === 72 ? 0 : 200}:fontcolor=black`;
/** Two slides, three seconds each. */
const talk = (): Promise<Buffer> => {
  const page = (colour: string) => ['-f', 'lavfi', '-i', `color=${colour}:s=1280x720:r=5:d=3`];
  const first = [slide('Quarterly harbour report', 72), slide('Revenue grew by 14 percent', 48)];
  const second = [slide('Questions and answers', 72)];
  const pages = `[0]${first.join(',')}[a];[1]${second.join(',')}[b];[a][b]concat=n=2:v=1:a=0`;
  return madeFile('talk.mp4', ...page('white'), ...page('white'), '-filter_complex', pages);
};

const canRead = isAvailable('textReader') && isAvailable('ffmpeg');

describe.runIf(canRead).each(engines)('text in frames, by the real reader, on %s', (engine) => {
  it('is read letter by letter, and found with its place in the video', async () => {
    const service = await startService(engine, { env: { MNEME_VISION_LOCAL: 'true' } });
    const asked = { ...(await service.createAccount()), url: service.url };
    const id = await uploadRecording(asked, await talk(), { title: 'Talk' });
    await asked.client.media.interpret({ params: { id } });
    const told = await waitForResult(asked, `/v1/memories/${id}/video/interpretation`);
    expect(told.status).toBe(200);
    const { model, frames, summary } = parseJson<VideoInterpretation>(told);
    expect(model).toBe('local');
    expect(frames.map(({ description }) => description)).toEqual([
      'Quarterly harbour report Revenue grew by 14 percent',
      'Questions and answers',
    ]);
    expect(summary).toContain('harbour');
    const query = { q: 'revenue growth of the harbour', include: ['audio' as const] };
    const { results } = await asked.client.search.get({ query });
    const [found] = results as AudioSegmentResult[];
    expect(found).toMatchObject({ audio_file_id: id, modality: 'frame', start_time: 0 });
    expect(Math.abs((found?.end_time ?? 0) - 3)).toBeLessThan(1);
    expect(
      (await sendRequest(asked, new URL(found?.clip_url ?? '', service.url).href)).status,
    ).toBe(200);
    await service.stop();
  });
});
