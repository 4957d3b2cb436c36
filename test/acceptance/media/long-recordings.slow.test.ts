import type { AudioSegmentResult, Transcript } from '@mneme/contract';
import { describe, expect, it } from 'vitest';
import { generateWithFfmpeg as madeFile, mediaSeconds } from '../../support/generated-media.ts';
import { oneEngine } from '../../support/service.ts';
import { verboseJsonReply } from '../../support/speech-endpoint.ts';
import { parseJson } from './http-requests.ts';
import {
  startTranscriptionService,
  uploadRecording,
  waitForResult,
} from './transcription-service.ts';

const everySeconds = 77.8;
const callSeconds = 5;
const wholeSeconds = 1_700;

/** Tones of distinct pitch in long silence; one of them spans the end of a window. */
const calling = (name: string): Promise<Buffer> => {
  const call = `floor(t/${everySeconds})`;
  const sine = `0.5*sin(2*PI*(300+40*${call})*t)`;
  const heard = `lt(mod(t,${everySeconds}),${callSeconds})*${sine}`;
  const source = `aevalsrc=${heard.replaceAll(',', String.raw`\,`)}:s=16000:d=${wholeSeconds}`;
  return madeFile(name, '-f', 'lavfi', '-i', source, '-b:a', '32k');
};

/** Detects the tones in the received audio by loudness and pitch. */
function heardIn(wave: Buffer) {
  const samples = new Int16Array(
    wave.buffer.slice(wave.byteOffset + 44, wave.byteOffset + wave.length),
  );
  const frame = 1_600;
  const calls: { start: number; end: number; crossings: number }[] = [];
  for (let from = 0; from + frame <= samples.length; from += frame) {
    let [peak, crossings] = [0, 0];
    for (let at = from + 1; at < from + frame; at += 1) {
      peak = Math.max(peak, Math.abs(samples[at] as number));
      if ((samples[at] as number) >= 0 !== (samples[at - 1] as number) >= 0) crossings += 1;
    }
    if (peak < 3_000) continue;
    const [start, end] = [from / 16_000, (from + frame) / 16_000];
    const last = calls.at(-1);
    if (last && start - last.end < 0.01)
      Object.assign(last, { end, crossings: last.crossings + crossings });
    else calls.push({ start, end, crossings });
  }
  return calls.map(({ start, end, crossings }) => {
    const call = Math.round((crossings / 2 / (end - start) - 300) / 40);
    return { start, end, text: `This is call number ${call}.` };
  });
}

describe.each(oneEngine)('a recording that is longer than an endpoint takes on %s', (engine) => {
  it('is sent in parts below 25 MB, and what was said is found where it was said', async () => {
    await using hearing = await startTranscriptionService(engine);
    const credentials = await hearing.account();
    hearing.endpoint.setDefaultReply(({ audio }) => verboseJsonReply(heardIn(audio)));
    const id = await uploadRecording(credentials, await calling('calls.mp3'));
    const { segments, duration } = parseJson<Transcript>(
      await waitForResult(credentials, `/v1/memories/${id}/transcript`),
    );
    expect(Math.abs(duration - wholeSeconds)).toBeLessThan(1);
    expect(hearing.endpoint.requests).toHaveLength(3);
    for (const { audio } of hearing.endpoint.requests) expect(audio.length).toBeLessThan(25e6);
    expect(segments).toHaveLength(Math.ceil(wholeSeconds / everySeconds));
    for (const [call, { start, end, text }] of segments.entries()) {
      expect(text).toBe(`This is call number ${call}.`);
      expect(Math.abs(start - call * everySeconds)).toBeLessThan(0.2);
      expect(Math.abs(end - call * everySeconds - callSeconds)).toBeLessThan(0.2);
    }
    // The tenth tone spans the end of the window at 780 seconds.
    const { results } = await credentials.client.search.get({
      query: { q: '"call number 10"', include: ['audio'] },
    });
    const [found] = results as AudioSegmentResult[];
    expect(Math.abs((found?.start_time ?? 0) - 10 * everySeconds)).toBeLessThan(1);
    const clip = await fetch(new URL(found?.clip_url ?? '', credentials.url));
    const played = await mediaSeconds(new Uint8Array(await clip.arrayBuffer()));
    expect(Math.abs(played - callSeconds)).toBeLessThan(0.4);
  });
});
