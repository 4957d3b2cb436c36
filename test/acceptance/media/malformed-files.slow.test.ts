import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ForbiddenServer, startForbiddenServer } from '../../support/forbidden-server.ts';
import { generateAudio, generateVideo, generateWithFfmpeg } from '../../support/generated-media.ts';
import { type Service, startService } from '../../support/service.ts';
import {
  type ApiCredentials,
  createForm,
  errorCodeOf,
  parseJson,
  sendRequest,
  uploadForm,
} from './http-requests.ts';

/** Malformed files do not depend on the database engine. */
describe('a hostile file', () => {
  let service: Service;
  let credentials: ApiCredentials;
  let folder: string;
  let trap: ForbiddenServer;
  beforeAll(async () => {
    service = await startService('embedded');
    credentials = { url: service.url, key: (await service.createAccount()).key };
    folder = await mkdtemp(path.join(os.tmpdir(), 'mneme-hostile-'));
    await writeFile(path.join(folder, 'secret.mp3'), await generateAudio('secret.mp3', 1, 999));
    trap = await startForbiddenServer();
  });
  afterAll(async () => {
    trap[Symbol.dispose]();
    await service.stop();
    await rm(folder, { recursive: true, force: true });
  });

  /** Binary, so that it is not detected as text. */
  const binary = (text: string): Buffer => Buffer.concat([Buffer.from(text), Buffer.from([0, 1])]);
  const send = (bytes: Buffer, filename = 'x.mp4') =>
    uploadForm(credentials, createForm(bytes, {}, { filename }));

  it.each([
    ['a playlist of a file', () => `#EXTM3U\n#EXTINF:1,\nfile://${folder}/secret.mp3\n`],
    ['a playlist of an address', () => `#EXTM3U\n#EXTINF:1,\n${trap.url}\n#EXT-X-ENDLIST\n`],
    ['a list of files', () => `ffconcat version 1.0\nfile ${folder}/secret.mp3\n`],
    ['a description of a stream', () => 'v=0\no=- 0 0 IN IP4 127.0.0.1\nm=audio 5004 RTP/AVP 0\n'],
    ['a DASH manifest', () => `<?xml version="1.0"?><MPD><BaseURL>${trap.url}</BaseURL></MPD>`],
  ])('that is %s is never followed', async (_, text) => {
    const refused = await send(binary(text()), 'list.m3u8');
    expect([refused.status, errorCodeOf(refused)]).toEqual([400, 'invalid_request']);
    // Without the binary bytes, it is an ordinary text.
    const stored = await send(Buffer.from(text()), 'list.m3u8');
    expect([stored.status, parseJson(stored).content]).toEqual([201, text()]);
    expect(trap.calls).toEqual([]);
  });

  it.each([
    ['an archive', () => gzipSync(Buffer.alloc(1_000_000))],
    [
      'a program',
      () => Buffer.from('\u007fELF\u0002\u0001\u0001\u0000'.padEnd(4_000, '\u0000'), 'latin1'),
    ],
    [
      'a web page before a recording',
      () => Buffer.from('<script>alert(1)</script>\u0000'.repeat(9)),
    ],
    [
      'a box that says it has terabytes',
      () => Buffer.from('0000000166747970ffffffffffffff0069736f6d', 'hex'),
    ],
  ])('that is %s is refused', async (_, bytes) => {
    const response = await send(bytes());
    expect([response.status, errorCodeOf(response)]).toEqual([400, 'invalid_request']);
  });

  it('cut off at any place is refused or played, never a fault', async () => {
    const film = await generateVideo('film.mp4', 1);
    for (const share of [0.1, 0.3, 0.5, 0.7, 0.9]) {
      const response = await send(film.subarray(0, Math.floor(film.length * share)));
      expect([201, 400]).toContain(response.status);
    }
  });

  it('whose picture is larger than any screen costs no more than its bytes', async () => {
    const size = ['-f', 'lavfi', '-i', 'color=size=16000x8000:rate=1:duration=1'];
    const huge = await generateWithFfmpeg('huge.mkv', ...size, '-frames:v', '1', '-c:v', 'ffv1');
    const response = await send(huge);
    expect([201, 400]).toContain(response.status);
    await service.running.context.worker.drain();
    const picture = await sendRequest(
      credentials,
      `/v1/memories/${parseJson(response).id}/video/thumbnail`,
    );
    expect(picture.status).toBe(404);
  });
});
