import { rm, truncate } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemCtx } from '../../../packages/server/src/domains/ctx.ts';
import { clipUrl, mediaBlobCheck } from '../../../packages/server/src/domains/media/index.ts';
import { countBlockedBy } from '../../support/blocked-transactions.ts';
import { eventually } from '../../support/eventually.ts';
import { createFakeClock } from '../../support/fake-clock.ts';
import { generateAudio, generateVideo } from '../../support/generated-media.ts';
import { engines, type Service, serverEngine, startService } from '../../support/service.ts';
import { blobPath, listBlobs } from './blobs.ts';
import {
  type ApiCredentials,
  createForm,
  parseJson,
  sendRequest,
  uploadForm,
} from './http-requests.ts';

async function* pieces(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}

type Account = ApiCredentials & Awaited<ReturnType<Service['createAccount']>>;

describe.each(engines)('the bytes of a recording on %s', (engine) => {
  let service: Service;
  let film: Buffer;
  let sound: Buffer;
  beforeAll(async () => {
    // Exclusive, since tests count the files of the whole service.
    service = await startService(engine, { isExclusive: true });
    [film, sound] = [await generateVideo('film.mp4'), await generateAudio('tone.mp3')];
  });
  afterAll(() => service.stop());

  const account = async (): Promise<Account> => ({
    ...(await service.createAccount()),
    url: service.url,
  });
  const stored = async (credentials: Account, bytes = film, fields = {}): Promise<string> =>
    parseJson(await uploadForm(credentials, createForm(bytes, fields))).id;
  const drain = () => service.running.context.worker.drain();

  const ways: [string, (credentials: Account) => Promise<void>][] = [
    [
      'for good',
      async (credentials) => {
        await credentials.client.memories.remove({ params: { id: await withAll(credentials) } });
      },
    ],
    [
      'in bulk',
      async (credentials) => {
        await credentials.client.memories.bulkDelete({
          body: { ids: [await withAll(credentials)] },
        });
      },
    ],
    [
      'with its session',
      async (credentials) => {
        const session = await credentials.client.cliSessions.create({ body: { name: 'talk' } });
        await withAll(credentials, { session_id: session.id });
        await credentials.client.cliSessions.remove({ params: { id: session.id } });
      },
    ],
    [
      'with its account',
      async (credentials) => {
        await withAll(credentials);
        const input = { params: { id: credentials.id }, query: { confirm: true } };
        await service.operator().admin.deleteAccount(input);
      },
    ],
  ];
  /** A video with its thumbnail and a clip. */
  async function withAll(
    credentials: Account,
    fields: Record<string, string> = {},
  ): Promise<string> {
    const id = await stored(credentials, film, fields);
    await drain();
    const link = clipUrl(service.running.context.app, id, 0, 1);
    expect((await fetch(new URL(link, service.url))).status).toBe(200);
    return id;
  }

  it.each(ways)(
    'are gone with it when it is deleted %s, and so are picture and clip',
    async (_, go) => {
      const before = await listBlobs(service);
      await go(await account());
      await drain();
      await drain();
      expect(await listBlobs(service)).toEqual(before);
    },
  );

  it('stay while it is deleted softly, and no link plays them', async () => {
    const credentials = await account();
    const id = await stored(credentials);
    const link = clipUrl(service.running.context.app, id, 0, 1);
    await credentials.client.memories.remove({ params: { id }, query: { soft: true } });
    await drain();
    expect((await fetch(new URL(link, service.url))).status).toBe(404);
    await credentials.client.memories.restore({ params: { id } });
    expect((await fetch(new URL(link, service.url))).status).toBe(200);
    expect((await sendRequest(credentials, `/v1/memories/${id}/video`)).bytes.equals(film)).toBe(
      true,
    );
  });

  it('of a clip that is being kept while it is deleted are gone, too', async () => {
    const credentials = await account();
    const id = await stored(credentials);
    await drain();
    const { app } = service.running.context;
    const blob = await app.blobs.write(pieces('a clip'), { bytesMax: 100 });
    const about = { account_id: credentials.id, memory_id: id, start_ms: 0, end_ms: 1 };
    const clip = { ...about, blob: blob.name, bytes: 6, created_at: app.clock.now() };
    let removing: Promise<unknown> = Promise.resolve();
    await app.engine.transaction(async (tx) => {
      await tx.insertInto('media_clips').values(clip).execute();
      removing = credentials.client.memories.remove({ params: { id } });
      if (engine === serverEngine) await eventually(() => countBlockedBy(tx), Boolean);
    });
    await removing;
    await drain();
    expect(await app.blobs.size(blob.name)).toBeNull();
  });

  it('that are not there, or fewer, are a fault that is found', async () => {
    const credentials = await account();
    const [one, two] = [await stored(credentials, film), await stored(credentials, sound)];
    await drain();
    const { app } = service.running.context;
    const faults = async () => {
      const ctx = systemCtx(app, credentials.id);
      const { compare } = await app.engine.transaction((tx) =>
        mediaBlobCheck.read(ctx, tx, null, { deep: false }),
      );
      return (await compare()).map(({ code, id }) => [code, id]);
    };
    expect(await faults()).toEqual([]);
    const places = await placesOf(service, [one, two]);
    await rm(places.get(one) ?? '');
    await truncate(places.get(two) ?? '', 5);
    expect((await faults()).toSorted()).toEqual(
      [one, two].map((id) => ['bytes_differ', id]).toSorted(),
    );
  });

  it('are swept by no other database that is pointed at the same place', async () => {
    const credentials = await account();
    await stored(credentials);
    await drain();
    const before = await listBlobs(service);
    const { blobs } = service.running.context.app;
    const clock = createFakeClock();
    clock.advance(10 * 86_400_000);
    const other = await startService(engine, { overrides: { blobs, clock } });
    try {
      await other.running.context.worker.drain();
      expect(await listBlobs(service)).toEqual(before);
      expect(other.logLines.some((line) => line.includes('another instance'))).toBe(true);
    } finally {
      await other.stop();
    }
  });
});

async function placesOf(service: Service, ids: readonly string[]) {
  const found = await service.running.context.app.engine.db
    .selectFrom('media_files')
    .select(['memory_id', 'blob'])
    .where('memory_id', 'in', [...ids])
    .execute();
  return new Map(found.map(({ memory_id, blob }) => [memory_id, blobPath(service, blob)]));
}
