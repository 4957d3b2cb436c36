import { expect, it } from 'vitest';
import { waveFile } from '../../support/media-containers.ts';
import { createDataLocation, startServerProcess } from '../../support/server-process.ts';
import { startService } from '../../support/service.ts';
import { createForm, errorCodeOf, parseJson, sendRequest, uploadForm } from './http-requests.ts';

it('without FFmpeg a recording is told what to install, and a text is stored', async () => {
  const service = await startService('embedded', { env: { PATH: '' } });
  try {
    const credentials = { url: service.url, key: service.adminKey };
    const response = await uploadForm(credentials, createForm(waveFile(Buffer.alloc(9_000))));
    expect([response.status, errorCodeOf(response)]).toEqual([503, 'service_unavailable']);
    const { error } = parseJson<{ error: { message: string } }>(response);
    expect(error.message).toMatch(/apt install ffmpeg.*@ffprobe-installer/);
    expect((await uploadForm(credentials, createForm(Buffer.from('words')))).status).toBe(201);
    const begin = (type: string) =>
      sendRequest(credentials, '/v1/media/uploads', {
        method: 'POST',
        headers: {
          'tus-resumable': '1.0.0',
          'upload-length': '9000',
          'upload-metadata': `filetype ${Buffer.from(type).toString('base64')}`,
        },
      });
    expect((await begin('text/plain')).status).toBe(201);
    const refused = await begin('video/mp4');
    expect([refused.status, errorCodeOf(refused)]).toEqual([503, 'service_unavailable']);
    const { checks } = await service.client().operations.health();
    expect(checks.media).toEqual({
      ok: true,
      detail: 'FFmpeg is not installed: audio and video are rejected.',
    });
  } finally {
    await service.stop();
  }
});

it('without the program that listens all goes on, and start and health tell of it', async () => {
  const location = await createDataLocation('embedded');
  const env = { MNEME_TRANSCRIPTION_COMMAND: '/nowhere/no-such-listener {file}' };
  try {
    await using server = await startServerProcess(location, { env });
    const remedy = /needs the program no-such-listener, which is not installed: install it/;
    await server.waitForOutput(new RegExp(`^Audio and video: .*${remedy.source}`, 'm'));
    const { status, checks } = await server.client().operations.health();
    expect([status, checks.media?.ok]).toEqual(['ok', true]);
    expect(checks.media?.detail).toMatch(/^ffmpeg \S+, ffprobe \S+; /);
    expect(checks.media?.detail).toMatch(remedy);
    expect(checks.media?.detail).not.toContain('/nowhere');
  } finally {
    await location.remove();
  }
});
