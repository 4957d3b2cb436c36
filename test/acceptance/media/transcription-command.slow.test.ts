import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { AudioSegmentResult, Transcript } from '@mneme/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import {
  generateAudio,
  generateWithFfmpeg as madeFile,
  mediaSeconds,
} from '../../support/generated-media.ts';
import { isAvailable, pocketsphinx } from '../../support/requirements.ts';
import { oneEngine, type Service, startService } from '../../support/service.ts';
import { type HttpResult, parseJson } from './http-requests.ts';
import { uploadRecording, waitForResult } from './transcription-service.ts';

/** The recording says "Go forward ten meters": 16 kHz, one channel. */
const { recording, program: listener } = pocketsphinx;
const debugLevel = 'debug';

describe.each(oneEngine)('a local program on %s', (engine) => {
  let folder: string;
  let script: string;
  let service: Service;
  beforeAll(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'mneme-listener-'));
    script = path.join(folder, 'listener.mjs');
    const command = `"${process.execPath}" ${script} {file}`;
    service = await startService(engine, { env: { MNEME_TRANSCRIPTION_COMMAND: command } });
  });
  afterAll(async () => {
    await service.stop();
    await rm(folder, { recursive: true, force: true });
  });

  /** The transcript response for a recording, with a command of this source code. */
  async function heardBy(source: string) {
    await writeFile(script, source);
    const credentials = { ...(await service.createAccount()), url: service.url };
    const id = await uploadRecording(credentials, await generateAudio('tone.flac', 3));
    return waitForResult(credentials, `/v1/memories/${id}/transcript`);
  }
  const reasonOf = (response: HttpResult) => [
    response.status,
    parseJson<{ error: { details: { reason: string } } }>(response).error.details.reason,
  ];

  it('hears, by its template alone', async () => {
    const output = '[{ "start": 1, "end": 2.5, "text": "The harbour opens at dawn." }]';
    const response = await heardBy(`console.log(${JSON.stringify(output)})`);
    const transcript = parseJson<Transcript>(response);
    expect(transcript).toMatchObject({ provider: 'command', segments: [{ start: 1, end: 2.5 }] });
  });

  it('that answers with any bytes gives no transcript, but 503 with the reason', async () => {
    const response = await heardBy(`
      import { randomBytes } from 'node:crypto';
      process.stdout.write(randomBytes(100_000));`);
    expect(reasonOf(response)).toEqual([503, 'node: the output is not plain text in UTF-8']);
  });

  it('that fails is logged with its reason, once, and its own words for debugging', async () => {
    const response = await heardBy(`
      console.error('No such model: tiny');
      process.exit(3);`);
    expect(reasonOf(response)).toEqual([503, 'node ended with 3']);
    const logged = () => service.logLines.map((line) => JSON.parse(line));
    const fault = async (): Promise<string[]> =>
      logged().flatMap(({ msg, err }) => (msg === 'job failed' ? err.message : []));
    const isTold = (message: string) => message.includes('node ended with 3');
    const failed = (await eventually(fault, (messages) => messages.some(isTold))).filter(isTold);
    expect(failed.map((message) => message.split('node ended with 3').length)).toEqual([2]);
    const telling = logged().filter((line) => JSON.stringify(line).includes('No such model'));
    expect(telling).toMatchObject([{ level: debugLevel, said: 'No such model: tiny' }]);
  });
});

describe.runIf(isAvailable('pocketsphinx')).each(oneEngine)('pocketsphinx on %s', (engine) => {
  it('hears a human, whose phrase is found where it was said and played from there', async () => {
    const env = { MNEME_TRANSCRIPTION_COMMAND: `${listener} -infile {file} -logfn /dev/null` };
    const service = await startService(engine, { env });
    const credentials = { ...(await service.createAccount()), url: service.url };
    // Five seconds of silence, then the voice.
    const voice = ['-f', 's16le', '-ar', '16000', '-ac', '1', '-i', recording];
    const bytes = await madeFile('voice.flac', ...voice, '-af', 'adelay=5000');
    const id = await uploadRecording(credentials, bytes);
    const transcript = parseJson<Transcript>(
      await waitForResult(credentials, `/v1/memories/${id}/transcript`),
    );
    expect(transcript.full_transcript).toBe('go forward ten meters');
    const query = { q: '"forward ten meters"', include: ['audio' as const] };
    const { results } = await credentials.client.search.get({ query });
    const [found] = results as AudioSegmentResult[];
    const seconds = readFileSync(recording).length / 32_000;
    expect(found?.start_time).toBeGreaterThan(4.5);
    expect(found?.start_time).toBeLessThan(6);
    expect(found?.end_time).toBeGreaterThan(4 + seconds);
    expect(found?.end_time).toBeLessThan(5.5 + seconds);
    const clip = await fetch(new URL(found?.clip_url ?? '', credentials.url));
    const played = await mediaSeconds(new Uint8Array(await clip.arrayBuffer()));
    expect(Math.abs(played - ((found?.end_time ?? 0) - (found?.start_time ?? 0)))).toBeLessThan(
      0.3,
    );
    await service.stop();
  });
});
