import type { AudioSegmentResult, Transcript } from '@mneme/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { removeErasedContent } from '../../../packages/server/src/domains/operations/index.ts';
import { generateAudio, generateVideo, mediaSeconds } from '../../support/generated-media.ts';
import {
  emptyDns,
  getOrCreateAddress,
  sendMail,
  waitForProcessedMail,
} from '../../support/mail.ts';
import { oneEngine, type Service, startService } from '../../support/service.ts';
import {
  type SpeechEndpoint,
  startSpeechEndpoint,
  verboseJsonReply,
} from '../../support/speech-endpoint.ts';
import { listBlobs } from '../media/blobs.ts';
import { parseJson, sendRequest } from '../media/http-requests.ts';
import { waitForResult } from '../media/transcription-service.ts';

type Account = Awaited<ReturnType<Service['createAccount']>>;

describe.each(oneEngine)('a recording that comes by mail on %s', (engine) => {
  let endpoint: SpeechEndpoint;
  let service: Service;
  let voice: Buffer;
  beforeAll(async () => {
    endpoint = await startSpeechEndpoint();
    endpoint.setDefaultReply(() =>
      verboseJsonReply([{ start: 1, end: 2, text: 'The capybara is fed.' }]),
    );
    service = await startService(engine, {
      env: {
        MNEME_SMTP_PORT: '0',
        MNEME_EMAIL_DOMAIN: 'mail.test',
        MNEME_TRANSCRIPTION_URL: endpoint.url,
        MNEME_TRANSCRIPTION_MODEL: 'hears-1',
      },
      overrides: { resolveName: emptyDns },
    });
    voice = await generateAudio('voice.ogg', 3);
  });
  afterAll(async () => {
    await service.stop();
    await endpoint[Symbol.asyncDispose]();
  });

  const drain = () => service.running.context.worker.drain();

  async function mailed(
    account: Account,
    files: readonly { filename: string; content: Buffer; contentType?: string }[],
    subject = 'store: Site visit #visit',
  ) {
    const { client } = account;
    const to = await getOrCreateAddress(client);
    const text = `See below, ${crypto.randomUUID()}.`;
    const sent = { from: 'ana@example.com', to, subject, text, attachments: [...files] };
    const id = await sendMail(service, sent);
    await drain();
    const mail = await waitForProcessedMail(client, id);
    const { data } = await client.email.listAttachments({ params: { id: mail.id } });
    return { mail, data, asked: { ...account, url: service.url } };
  }

  it('becomes a memory of its own: played, transcribed, found, linked from the mail', async () => {
    const account = await service.createAccount();
    const { client } = account;
    const { mail, data, asked } = await mailed(account, [
      { filename: 'Voice memo.ogg', content: voice },
      {
        filename: 'IMG_0001.MOV',
        content: await generateVideo('film.mp4'),
        contentType: 'video/quicktime',
      },
      { filename: 'blob', content: await generateAudio('other.mp3', 2, 700) },
    ]);
    const ids = data.map(({ memoryId }) => memoryId ?? '');
    const memories = await Promise.all(ids.map((id) => client.memories.get({ params: { id } })));
    expect(memories.map(({ content_type: type }) => type)).toEqual(['audio', 'video', 'audio']);
    expect(memories[0]).toMatchObject({
      content: expect.stringMatching(/^Voice memo/),
      tags: ['visit'],
      metadata: { source: 'email', mail_id: mail.id, filename: 'Voice memo.ogg' },
    });
    const { outgoing } = await client.relationships.list({
      params: { memoryId: mail.responseMemoryId ?? '' },
    });
    expect(new Set(outgoing?.map(({ target_id: id }) => id))).toEqual(new Set(ids));
    expect((await sendRequest(asked, `/v1/memories/${ids[0]}/stream`)).bytes.equals(voice)).toBe(
      true,
    );
    const transcript = parseJson<Transcript>(
      await waitForResult(asked, `/v1/memories/${ids[0]}/transcript`),
    );
    expect(transcript.full_transcript).toBe('The capybara is fed.');
    const { results } = await client.search.get({ query: { q: 'capybara', include: ['audio'] } });
    const found = (results as AudioSegmentResult[]).find((one) => one.audio_file_id === ids[0]);
    expect(found).toMatchObject({ start_time: 1, end_time: 2 });
    const clip = await fetch(new URL(found?.clip_url ?? '', service.url));
    expect(await mediaSeconds(new Uint8Array(await clip.arrayBuffer()))).toBeGreaterThan(0.7);
    const { data: events } = await client.events.list({ query: { limit: 100 } });
    expect(events.filter(({ type }) => type === 'audio.uploaded')).toHaveLength(3);
  });

  it('that is none by its bytes, or a picture, stays an attachment', async () => {
    const { mail, data } = await mailed(await service.createAccount(), [
      { filename: 'noise.mp3', content: Buffer.alloc(5_000, 7) },
      {
        filename: 'list.m3u8',
        content: Buffer.from('#EXTM3U\n/etc/passwd\n'),
        contentType: 'audio/x-mpegurl',
      },
      { filename: 'p.png', content: Buffer.alloc(500, 3) },
    ]);
    expect(mail.status).toBe('completed');
    expect(data.map(({ memoryId }) => memoryId)).toEqual([null, null, null]);
  });

  it('that is stored already is linked, not stored again', async () => {
    const account = await service.createAccount();
    const file = { filename: 'memo.ogg', content: voice };
    const first = await mailed(account, [file, { ...file, filename: 'again.ogg' }]);
    const second = await mailed(account, [file]);
    const memoryId = first.data[0]?.memoryId;
    expect(first.data[1]?.memoryId).toBeNull();
    expect(second.data[0]?.memoryId).toBe(memoryId);
    const { data } = await account.client.memories.list();
    expect(data.filter(({ content_type: type }) => type === 'audio')).toHaveLength(1);
  });

  it('keeps its bytes as long as its memory is there, also without the attachment', async () => {
    const account = await service.createAccount();
    const { data, asked, mail } = await mailed(account, [{ filename: 'memo.ogg', content: voice }]);
    const [attachment] = data;
    const path = `/v1/memories/${attachment?.memoryId}/stream`;
    const { client } = account;
    const before = await listBlobs(service);
    await client.email.removeAttachment({ params: { id: attachment?.id ?? '' } });
    await drain();
    expect((await sendRequest(asked, path)).bytes.equals(voice)).toBe(true);
    // The raw mail, which also contains the recording.
    expect((await listBlobs(service)).length).toBe(before.length - 1);
    await client.memories.remove({ params: { id: attachment?.memoryId ?? '' } });
    await drain();
    expect((await sendRequest(asked, path)).status).toBe(404);
    expect((await listBlobs(service)).length).toBe(before.length - 2);
    expect(mail.status).toBe('completed');
  });

  it('takes its attachment along where its memory is erased', async () => {
    const account = await service.createAccount();
    const removeContent = async () => {
      await removeErasedContent(service.running.context.app, { shouldYield: () => false });
      await drain();
    };
    // Also the blobs that earlier tests have erased.
    await removeContent();
    const before = (await listBlobs(service)).toSorted();
    const { data } = await mailed(account, [{ filename: 'memo.ogg', content: voice }]);
    const { client } = account;
    const [attachment] = data;
    await client.memories.remove({ params: { id: attachment?.memoryId ?? '' } });
    await removeContent();
    const gone = client.email.getAttachment({ params: { id: attachment?.id ?? '' } });
    await expect(gone).rejects.toMatchObject({ status: 404 });
    expect((await listBlobs(service)).toSorted()).toEqual(before);
  });

  it('is not made of what another command brings along', async () => {
    const account = await service.createAccount();
    const { data } = await mailed(
      account,
      [{ filename: 'memo.ogg', content: voice }],
      'search: capybara',
    );
    expect(data).toMatchObject([{ filename: 'memo.ogg', memoryId: null }]);
  });
});

describe.each(oneEngine)('where FFmpeg is missing on %s', (engine) => {
  it('a mail with a recording is kept, and its attachment stays one', async () => {
    const service = await startService(engine, {
      env: { MNEME_SMTP_PORT: '0', MNEME_EMAIL_DOMAIN: 'mail.test', PATH: '/nowhere' },
      overrides: { resolveName: emptyDns },
    });
    const { client } = await service.createAccount();
    const to = await getOrCreateAddress(client);
    const attachments = [{ filename: 'memo.ogg', content: await generateAudio('v.ogg', 1) }];
    const mail = {
      from: 'ana@example.com',
      to,
      subject: 'store: A memo',
      text: 'Hi.',
      attachments,
    };
    const messageId = await sendMail(service, mail);
    await service.running.context.worker.drain();
    const { id, status } = await waitForProcessedMail(client, messageId);
    expect(status).toBe('completed');
    const { data } = await client.email.listAttachments({ params: { id } });
    expect(data).toMatchObject([{ memoryId: null }]);
    await service.stop();
  });
});
