import type { Client } from '@mneme/sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFakeMedia, fakeRecording } from '../../support/fake-media.ts';
import { engines, type Service, startService } from '../../support/service.ts';
import { createMemory } from '../memories/memory-requests.ts';
import {
  type ApiCredentials,
  createForm,
  errorCodeOf,
  type HttpResult,
  parseJson,
  sendRequest,
  uploadForm,
} from './http-requests.ts';

const uploads = '/v1/media/uploads';
const patchType = { 'content-type': 'application/offset+octet-stream' };
const encode = (text: string): string => Buffer.from(text).toString('base64');

describe.each(engines)('the owner of a recording on %s', (engine) => {
  let service: Service;
  let client: Client;
  let whole: ApiCredentials;
  let ana: ApiCredentials;
  let ben: ApiCredentials;
  let recordings = 0;

  beforeAll(async () => {
    service = await startService(engine, { overrides: { ...createFakeMedia(), transcribers: [] } });
    const account = await service.createAccount();
    client = account.client;
    whole = { url: service.url, key: account.key };
    const tokenFor = async (user_id: string): Promise<ApiCredentials> => ({
      url: service.url,
      key: (await client.auth.createToken({ body: { user_id } })).token,
    });
    [ana, ben] = [await tokenFor('ana'), await tokenFor('ben')];
  });
  afterAll(() => service.stop());

  const nextSound = () => {
    recordings += 1;
    return fakeRecording('video', `recording ${recordings}`);
  };
  const upload = (who: ApiCredentials, sound: Uint8Array, fields: Record<string, string> = {}) =>
    uploadForm(who, createForm(sound, fields, { filename: 'talk.mp4' }));
  const start = (
    who: ApiCredentials,
    sound: Uint8Array,
    fields: Record<string, string> = {},
    headers: Record<string, string> = {},
  ): Promise<HttpResult> => {
    const pairs = Object.entries(fields).map(([name, value]) => `${name} ${encode(value)}`);
    return sendRequest(who, uploads, {
      method: 'POST',
      headers: {
        'upload-length': String(sound.length),
        'upload-metadata': pairs.join(','),
        ...headers,
      },
    });
  };
  const append = (who: ApiCredentials, path: string, bytes: Uint8Array): Promise<HttpResult> =>
    sendRequest(who, path, {
      method: 'PATCH',
      headers: { ...patchType, 'upload-offset': '0' },
      body: new Uint8Array(bytes),
    });

  it('is the user of the token that uploads it, and the one that the fields name', async () => {
    const sound = nextSound();
    const started = await start(ana, sound, { agent_id: 'guide' });
    expect(parseJson(started)).toMatchObject({ user_id: 'ana', agent_id: 'guide', run_id: null });
    const path = started.headers.get('location') ?? '';
    const id = (await append(ana, path, sound)).headers.get('x-mneme-memory-id') ?? '';
    const owner = { user_id: 'ana', agent_id: 'guide', run_id: null };
    expect(await client.memories.get({ params: { id } })).toMatchObject(owner);
    const query = { user_id: 'ana', content_type: 'video' } as const;
    const { data } = await client.memories.list({ query });
    expect(data.map((memory) => memory.id)).toContain(id);
    const named = await start(whole, sound, { user_id: 'ben', run_id: 'r1' });
    expect(parseJson(named)).toMatchObject({ user_id: 'ben', agent_id: null, run_id: 'r1' });
    for (const refused of [
      await start(ana, sound, { user_id: 'ben' }),
      await upload(ana, sound, { user_id: 'ben' }),
    ]) {
      expect([refused.status, errorCodeOf(refused)]).toEqual([403, 'user_access_denied']);
    }
    // A session shows the memories of every user.
    const session = await client.cliSessions.create({ body: { name: 'chat' } });
    const joining = await start(ana, sound, { session_id: session.id });
    expect(errorCodeOf(joining)).toBe('user_access_denied');
    const bens = await createMemory(client, "Ben's plan.", { user_id: 'ben' });
    const superseding = await start(ana, sound, { supersedes: JSON.stringify([bens.id]) });
    expect(errorCodeOf(superseding)).toBe('memory_not_found');
  });

  it('alone plays it, reads its metadata and transcript, and makes links to it', async () => {
    const { id } = parseJson(await upload(ana, nextSound()));
    const { id: nobodys } = parseJson(await upload(whole, nextSound()));
    const requests: [method: string, path: string][] = [
      ['GET', 'stream'],
      ['HEAD', 'stream'],
      ['GET', 'stream/link'],
      ['GET', 'stream/metadata'],
      ['GET', 'transcript'],
      ['POST', 'transcribe'],
      ['GET', 'video'],
      ['GET', 'video/thumbnail'],
      ['GET', 'video/metadata'],
      ['GET', 'video/transcript'],
      ['POST', 'video/transcribe'],
      ['POST', 'video/interpret'],
      ['GET', 'video/interpretation'],
    ];
    for (const [method, path] of requests) {
      const send = (who: ApiCredentials, memoryId: string) =>
        sendRequest(who, `/v1/memories/${memoryId}/${path}`, { method });
      // Without a provider, with its picture still to come, or asked twice: but never hidden.
      const own = await send(ana, id);
      if (own.status >= 400) {
        expect(['not_found', 'service_unavailable', 'invalid_request']).toContain(errorCodeOf(own));
      }
      for (const [who, memoryId] of [
        [ben, id],
        [ana, nobodys],
      ] as const) {
        const hidden = await send(who, memoryId);
        expect(hidden.status, path).toBe(404);
        if (method !== 'HEAD') expect(errorCodeOf(hidden), path).toBe('memory_not_found');
      }
    }
    const played = await sendRequest(ana, `/v1/memories/${id}/stream`);
    expect(played.status).toBe(200);
    const link = parseJson<{ url: string }>(
      await sendRequest(ana, `/v1/memories/${id}/stream/link`),
    );
    expect((await fetch(new URL(link.url, service.url))).status).toBe(200);
  });

  it("alone sees, continues, joins and cancels its upload: another user's is 404", async () => {
    const sound = nextSound();
    const partial = { 'upload-concat': 'partial' };
    const path = (await start(ana, sound, {}, partial)).headers.get('location') ?? '';
    const nobodys = (await start(whole, sound)).headers.get('location') ?? '';
    const join = (who: ApiCredentials, part: string) =>
      sendRequest(who, uploads, { method: 'POST', headers: { 'upload-concat': `final;${part}` } });
    for (const [who, hidden] of [
      [ben, path],
      [ana, nobodys],
    ] as const) {
      for (const response of [
        await sendRequest(who, hidden),
        await append(who, hidden, sound),
        await sendRequest(who, hidden, { method: 'DELETE' }),
        await join(who, hidden),
      ]) {
        expect([response.status, errorCodeOf(response)]).toEqual([404, 'not_found']);
      }
    }
    expect(parseJson(await sendRequest(ana, path))).toMatchObject({ user_id: 'ana', offset: 0 });
    expect((await append(ana, path, sound)).status).toBe(204);
    const joined = await join(ana, new URL(path, service.url).href);
    expect(joined.status).toBe(201);
    const id = joined.headers.get('x-mneme-memory-id') ?? '';
    expect(await client.memories.get({ params: { id } })).toMatchObject({ user_id: 'ana' });
    expect((await sendRequest(whole, nobodys, { method: 'DELETE' })).status).toBe(204);
  });

  it('has its own duplicates: another owner stores the same bytes again', async () => {
    const sound = nextSound();
    const first = parseJson(await upload(ben, sound, { run_id: 'r1' }));
    const again = await upload(ben, sound, { run_id: 'r1' });
    expect([again.status, errorCodeOf(again)]).toEqual([409, 'duplicate_memory']);
    const others = [
      await upload(ben, sound),
      await upload(ben, sound, { run_id: 'r1', agent_id: 'guide' }),
      await upload(ana, sound, { run_id: 'r1' }),
      await upload(whole, sound, { run_id: 'r1' }),
    ];
    expect(others.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
    const fields = { run_id: 'r1' };
    const path = (await start(ben, sound, fields)).headers.get('location') ?? '';
    const resumed = await append(ben, path, sound);
    expect(resumed.headers.get('mneme-duplicate')).toBe('true');
    expect(resumed.headers.get('x-mneme-memory-id')).toBe(first.id);
  });
});
