import type { Client } from '@mneme/sdk';
import { clipUrl } from '../../../packages/server/src/domains/media/index.ts';
import { fakeRecording } from '../../support/fake-media.ts';
import type { Service } from '../../support/service.ts';
import { formBytes } from '../contract/example-data-media.ts';
import { type CompleteRequest, toCompleteRequest } from './populate-mail.ts';

export interface MediaTarget {
  readonly recordings: readonly string[];
  readonly uploads: readonly string[];
  readonly completeRequests: Readonly<Record<string, readonly CompleteRequest[]>>;
}

const uploadBytes = 1_000;
const offsetType = 'application/offset+octet-stream';

/** An audio, videos, and uploads that have begun; `text` is a memory that is no recording. */
export async function createMediaData(
  service: Service,
  client: Client,
  text: string,
): Promise<MediaTarget> {
  const video = await uploadRecording(client, 'video', 'one');
  const recordings = [video, await uploadRecording(client, 'audio', 'two'), text];
  await service.running.context.worker.drain();
  await client.media.interpret({ params: { id: video } });
  await service.running.context.worker.drain();
  const uploads: string[] = [];
  for (let i = 0; i < 50; i += 1) uploads.push(await createUpload(client, i));
  const link = (start: number, end: number): CompleteRequest =>
    toCompleteRequest(clipUrl(service.running.context.app, video, start, end));
  return {
    // Most routes are of videos alone.
    recordings: [video, video, video, ...recordings],
    uploads: uploads.slice(10),
    completeRequests: {
      'media.clip': [link(0, 1), link(0.4, 3.9), link(0, 4)],
      'media.createUpload': Array.from({ length: 5 }, (_, i) => ({
        path: '/media/uploads',
        query: '',
        headers: uploadHeaders(i),
      })),
      'media.appendUpload': uploads.slice(0, 10).map((id) => ({
        path: `/media/uploads/${id}`,
        query: '',
        headers: { 'content-type': offsetType, 'upload-offset': '0', 'tus-resumable': '1.0.0' },
        body: fakeRecording('audio', id),
      })),
    },
  };
}

const uploadHeaders = (i: number): Record<string, string> => ({
  'tus-resumable': '1.0.0',
  'upload-length': String(uploadBytes + i),
  'upload-metadata': `filename ${Buffer.from(`talk ${i}.wav`).toString('base64')}`,
});

async function createUpload(client: Client, i: number): Promise<string> {
  const sent = { method: 'POST', path: '/media/uploads', headers: uploadHeaders(i) };
  return ((await client.request(sent)).body as { id: string }).id;
}

async function uploadRecording(
  client: Client,
  kind: 'audio' | 'video',
  name: string,
): Promise<string> {
  const form = await formBytes({ title: `Recording ${name}` }, fakeRecording(kind, name), 'x');
  const { body } = await client.request({ method: 'POST', path: '/memories', ...form });
  return (body as { id: string }).id;
}
