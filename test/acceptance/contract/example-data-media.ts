import { type Route, routes } from '@mneme/contract';
import type { Client } from '@mneme/sdk';
import { eventually } from '../../support/eventually.ts';
import { fakeRecording } from '../../support/fake-media.ts';

/** The ids that the examples of media use, by what they name. */
export const mediaSampleIds = {
  recording: '019b8d1c-3a70-7a21-8b31-1c2d3e4f5a6b',
  upload: '019b8d1c-3a71-7b32-8c42-2d3e4f5a6b7c',
} as const;

type MediaIds = Readonly<Record<keyof typeof mediaSampleIds, string>>;

const none: MediaIds = { recording: '', upload: '' };

/** What the examples of media speak of; of no other route, since recordings are memories. */
export async function createMediaExampleData(
  client: Client,
  { id, path }: Route,
  place: { space_id?: string },
): Promise<MediaIds> {
  if (!id.startsWith('media.')) return none;
  if (/upload/i.test(id)) return { ...none, upload: await createUpload(client, id, place) };
  const isVideo = path.includes('/video');
  const recording = await uploadRecording(client, isVideo ? 'video' : 'audio', place);
  // What was asked for by the upload itself is over before anything is asked.
  await waitForResponse(client, `/memories/${recording}/transcript`);
  if (isVideo) await waitForResponse(client, `/memories/${recording}/video/thumbnail`);
  if (/^media\.(?:t|videoT)ranscript$/.test(id)) {
    const body = { language: 'en', enableSpeakerDiarization: true };
    await client.media.transcribe({ params: { id: recording }, body });
    await waitForResponse(client, `/memories/${recording}/transcript`);
  }
  if (id === 'media.interpretation') {
    await client.media.interpret({ params: { id: recording } });
    await waitForResponse(client, `/memories/${recording}/video/interpretation`);
  }
  return { ...none, recording };
}

/** The first whole answer of a path. */
const waitForResponse = (client: Client, path: string) =>
  eventually(
    () => client.request({ method: 'GET', path }),
    ({ status }) => status === 200,
    30_000,
  );

/** A form as bytes, with its type. */
export async function formBytes(
  fields: Readonly<Record<string, string>>,
  file: Uint8Array,
  filename: string,
): Promise<{ headers: Record<string, string>; body: Uint8Array }> {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  form.set('file', new Blob([new Uint8Array(file)]), filename);
  const made = new Response(form);
  return {
    headers: { 'content-type': made.headers.get('content-type') ?? '' },
    body: new Uint8Array(await made.arrayBuffer()),
  };
}

async function uploadRecording(
  client: Client,
  kind: 'audio' | 'video',
  place: { space_id?: string },
): Promise<string> {
  const fields = { title: 'Monday stand-up', tags: '["meeting"]', ...place };
  const name = kind === 'audio' ? 'stand-up.m4a' : 'demo.mp4';
  const sent = await formBytes(fields, fakeRecording(kind), name);
  const { body } = await client.request({ method: 'POST', path: '/memories', ...sent });
  return (body as { id: string }).id;
}

async function createUpload(
  client: Client,
  id: string,
  place: { space_id?: string },
): Promise<string> {
  if (id === 'media.createUpload') return '';
  const { headers } = routes.media.createUpload.example;
  const { body } = await client.request({
    method: 'POST',
    path: routes.media.createUpload.path,
    headers: withSpace(headers, place.space_id),
  });
  return (body as { id: string }).id;
}

/** Fields of an upload stand in a header. */
export function withSpace(
  headers: Readonly<Record<string, string>>,
  spaceId: string | undefined,
): Record<string, string> {
  if (spaceId === undefined) return headers;
  const pair = `space_id ${Buffer.from(spaceId).toString('base64')}`;
  return { ...headers, 'upload-metadata': `${headers['upload-metadata']},${pair}` };
}
