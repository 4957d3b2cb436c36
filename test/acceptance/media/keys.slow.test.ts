import type { Memory } from '@mneme/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { engines, type Service, startService } from '../../support/service.ts';
import { stagedRecording, stageMedia } from '../../support/staged-media.ts';
import { connect } from '../../support/wire.ts';
import { type Asked, ask, codeOf, formOf, json, type Told } from './asking.ts';
import { blobsOf } from './blobs.ts';

const one = stagedRecording('audio', 'one');
const other = stagedRecording('audio', 'two');

describe.each(engines)('an Idempotency-Key with a form on %s', (engine) => {
  let service: Service;
  beforeAll(async () => {
    service = await startService(engine, { overrides: { ...stageMedia(), transcribers: [] } });
  });
  afterAll(() => service.stop());

  const account = async (): Promise<Asked & Awaited<ReturnType<Service['account']>>> => ({
    ...(await service.account()),
    url: service.url,
  });
  const post = (asked: Asked, key: string, form: FormData): Promise<Told> =>
    ask(asked, '/v1/memories', { method: 'POST', body: form, headers: { 'idempotency-key': key } });
  const isReplayed = ({ headers }: Told): boolean => headers.get('idempotency-replayed') === 'true';
  const ids = async ({ client }: Awaited<ReturnType<typeof account>>): Promise<string[]> =>
    (await client.memories.list()).data.map(({ id }) => id);

  it('replays the first answer for the same bytes and fields, whatever their order', async () => {
    const asked = await account();
    const fields = { title: 'Walk', tags: '["a"]' };
    const first = await post(asked, 'key', formOf(one, fields));
    expect([first.status, isReplayed(first)]).toEqual([201, false]);
    const before = await blobsOf(service);
    for (const form of [
      formOf(one, fields),
      formOf(one, { tags: '["a"]', title: 'Walk' }),
      formOf(one, fields, { fileFirst: true }),
    ]) {
      const again = await post(asked, 'key', form);
      expect([again.status, isReplayed(again)]).toEqual([201, true]);
      expect(json(again)).toEqual(json(first));
      expect(again.headers.get('etag')).toBe(first.headers.get('etag'));
    }
    expect(await ids(asked)).toEqual([json(first).id]);
    expect(await blobsOf(service)).toEqual(before);
  });

  it('is 409 idempotency_key_reused for another file, name of it, field, or for JSON', async () => {
    const asked = await account();
    const first = await post(asked, 'key', formOf(one, { title: 'Walk' }));
    const before = await blobsOf(service);
    const others = [
      await post(asked, 'key', formOf(other, { title: 'Walk' })),
      await post(asked, 'key', formOf(Buffer.concat([one, one]), { title: 'Walk' })),
      await post(asked, 'key', formOf(one, { title: 'Walk' }, { filename: 'x.wav' })),
      await post(asked, 'key', formOf(one, { title: 'Run' })),
      await post(asked, 'key', formOf(one)),
      await post(asked, 'key', formOf(null, { title: 'Walk' })),
      await ask(asked, '/v1/memories', {
        method: 'POST',
        body: '{"content":"x"}',
        headers: { 'idempotency-key': 'key', 'content-type': 'application/json' },
      }),
    ];
    for (const told of others) {
      expect([told.status, codeOf(told)]).toEqual([409, 'idempotency_key_reused']);
    }
    expect(await ids(asked)).toEqual([json(first).id]);
    expect(await blobsOf(service)).toEqual(before);
  });

  it('replays a refusal of a form that was read to its end, and of it alone', async () => {
    const asked = await account();
    const noise = Buffer.alloc(100, 0xfe);
    expect((await post(asked, 'noise', formOf(noise))).status).toBe(400);
    const again = await post(asked, 'noise', formOf(noise));
    expect([again.status, isReplayed(again)]).toEqual([400, true]);
    expect(codeOf(await post(asked, 'noise', formOf(one)))).toBe('idempotency_key_reused');
    const faulty = formOf(one, { priority: '11' }, { fileFirst: true });
    expect((await post(asked, 'faulty', faulty)).status).toBe(422);
    expect(isReplayed(await post(asked, 'faulty', faulty))).toBe(true);
    expect(codeOf(await post(asked, 'faulty', formOf(one)))).toBe('idempotency_key_reused');
    // Refused before its file was read, it is not known which file it was.
    expect((await post(asked, 'early', formOf(one, { priority: '11' }))).status).toBe(422);
    expect((await post(asked, 'early', formOf(one, { priority: '7' }))).status).toBe(201);
  });

  it('has one effect, however many forms with the key come at the same time', async () => {
    const asked = await account();
    const all = await Promise.all(
      Array.from({ length: 8 }, () => post(asked, 'key', formOf(one, { allow_duplicate: 'true' }))),
    );
    const fresh = all.filter((told) => told.status === 201 && !isReplayed(told));
    expect(fresh).toHaveLength(1);
    for (const told of all) {
      if (told.status === 201) expect(json<Memory>(told).id).toBe(json(fresh[0] as Told).id);
      else expect([told.status, codeOf(told)]).toEqual([409, 'idempotency_in_progress']);
    }
    expect(await ids(asked)).toHaveLength(1);
  });

  it('is free again where a form broke off, and its bytes are gone', async () => {
    const asked = await account();
    const before = await blobsOf(service);
    const whole = new Response(formOf(Buffer.alloc(400_000, 1)));
    const bytes = Buffer.from(await whole.arrayBuffer());
    {
      using wire = await connect(service.url);
      const head = [
        'POST /v1/memories HTTP/1.1',
        'Host: localhost',
        `Authorization: Bearer ${asked.key}`,
        'Idempotency-Key: key',
        `Content-Type: ${whole.headers.get('content-type')}`,
        `Content-Length: ${bytes.length}`,
        '\r\n',
      ];
      wire.send(head.join('\r\n') + bytes.toString('latin1', 0, 300_000));
      await eventually(
        () => blobsOf(service),
        (blobs) => blobs.length > before.length,
      );
      const meanwhile = await post(asked, 'key', formOf(one));
      expect(codeOf(meanwhile)).toBe('idempotency_in_progress');
    }
    const told = await eventually(
      () => post(asked, 'key', formOf(one)),
      ({ status }) => status !== 409,
    );
    expect([told.status, isReplayed(told)]).toEqual([201, false]);
    expect(await blobsOf(service)).toHaveLength(before.length + 1);
  });

  it('begins one resumable upload, told again with its place; not of another length', async () => {
    const asked = await account();
    const begin = (length: string) =>
      ask(asked, '/v1/media/uploads', {
        method: 'POST',
        headers: { 'upload-length': length, 'idempotency-key': 'key' },
      });
    const [first, again, changed] = [await begin('10'), await begin('10'), await begin('11')];
    expect([first.status, again.status]).toEqual([201, 201]);
    expect(again.headers.get('location')).toBe(first.headers.get('location'));
    expect([changed.status, codeOf(changed)]).toEqual([409, 'idempotency_key_reused']);
  });
});
