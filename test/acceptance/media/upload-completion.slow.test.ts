import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { Upload } from '@mneme/contract';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createIds } from '../../../packages/server/src/kernel/ids.ts';
import {
  type BlobStore,
  BlobStoreUnavailable,
  createFolderBlobStore,
} from '../../../packages/server/src/providers/blobs/index.ts';
import { eventually } from '../../support/eventually.ts';
import { createFakeClock, type FakeClock } from '../../support/fake-clock.ts';
import { generateAudio } from '../../support/generated-media.ts';
import { engines, type Service, startService } from '../../support/service.ts';
import {
  type ApiCredentials,
  errorCodeOf,
  type HttpResult,
  parseJson,
  sendRequest,
} from './http-requests.ts';

/** A store whose writes wait for each other, or fail, as a test wants it. */
interface Held {
  readonly blobs: BlobStore;
  /** Resolves once a blob of so many bytes is written; it is not told of before `go`. */
  hold(bytes: number): { readonly written: Promise<void>; go(): void };
  /** Holds nothing any more. */
  release(): void;
  /** How many more writes fail. */
  failures: number;
}

function holding(blobs: BlobStore): Held {
  let gate: { bytes: number; tell(): void; open: Promise<void> } | null = null;
  const opened: (() => void)[] = [];
  const held: Held = {
    failures: 0,
    blobs: {
      ...blobs,
      async write(source, limits) {
        if (held.failures > 0) {
          held.failures -= 1;
          throw new BlobStoreUnavailable('out of reach');
        }
        const kept = await blobs.write(source, limits);
        if (gate === null || gate.bytes !== kept.bytes) return kept;
        const { tell, open } = gate;
        gate = null;
        tell();
        await open;
        return kept;
      },
    },
    hold(bytes) {
      const written = Promise.withResolvers<void>();
      const open = Promise.withResolvers<void>();
      gate = { bytes, tell: written.resolve, open: open.promise };
      opened.push(open.resolve);
      return { written: written.promise, go: open.resolve };
    },
    release() {
      for (const open of opened) open();
    },
  };
  return held;
}

describe.each(engines)('the end of an upload in parts on %s', (engine) => {
  let folder: string;
  let service: Service;
  let clock: FakeClock;
  let held: Held;
  let asked: ApiCredentials;
  let sound: Buffer;
  beforeEach(async () => {
    clock = createFakeClock();
    folder = await mkdtemp(path.join(os.tmpdir(), 'mneme-ending-'));
    held = holding(createFolderBlobStore(folder, { ids: createIds(clock), clock }));
    service = await startService(engine, { overrides: { clock, blobs: held.blobs } });
    asked = { url: service.url, key: (await service.createAccount()).key };
    sound = await generateAudio('tone.wav', 1);
  });
  afterEach(async () => {
    held.release();
    await service.stop();
    await rm(folder, { recursive: true, force: true });
  });

  async function begun(): Promise<string> {
    const headers = { 'tus-resumable': '1.0.0', 'upload-length': String(sound.length) };
    const told = await sendRequest(asked, '/v1/media/uploads', { method: 'POST', headers });
    return told.headers.get('location') ?? '';
  }
  const append = (place: string, offset: number, end = sound.length): Promise<HttpResult> =>
    sendRequest(asked, place, {
      method: 'PATCH',
      headers: {
        'upload-offset': String(offset),
        'content-type': 'application/offset+octet-stream',
      },
      body: new Uint8Array(sound.subarray(offset, end)),
    });
  const drain = () => service.running.context.worker.drain();
  const names = async (): Promise<string[]> => {
    const found: string[] = [];
    for await (const some of held.blobs.listNamesBefore(new Date('2999-01-01')))
      found.push(...some);
    return found;
  };
  /** For how long whoever ends it has it yet. */
  const leaseSeconds = async (): Promise<number> => {
    const { db } = service.running.context.app.engine;
    const { lease_until: until } = await db
      .selectFrom('media_uploads')
      .select('lease_until')
      .executeTakeFirstOrThrow();
    return ((until?.getTime() ?? 0) - clock.now().getTime()) / 1_000;
  };
  const contents = async (): Promise<number> =>
    (await service.client(asked.key).memories.list()).data.length;

  it('is one, however long it takes, and whoever asks for it again', async () => {
    const place = await begun();
    await append(place, 0, 1_000);
    const gate = held.hold(sound.length);
    const ending = append(place, 1_000);
    await gate.written;
    for (let step = 0; step < 6; step += 1) {
      clock.advance(20_000);
      await eventually(leaseSeconds, (left) => left > 50);
    }
    await drain();
    const again = await append(place, sound.length);
    expect([again.status, errorCodeOf(again)]).toEqual([409, 'conflict']);
    gate.go();
    const told = await ending;
    expect(told.status).toBe(204);
    const id = told.headers.get('x-mneme-memory-id');
    expect(parseJson<Upload>(await sendRequest(asked, place)).memory_id).toBe(id);
    expect((await append(place, sound.length)).headers.get('x-mneme-memory-id')).toBe(id);
    expect(await contents()).toBe(1);
    await drain();
    expect((await names()).length).toBe(1);
  });

  it('is none where it was given up meanwhile, and nothing of it is left', async () => {
    const place = await begun();
    await append(place, 0, 1_000);
    const gate = held.hold(sound.length);
    const ending = append(place, 1_000);
    await gate.written;
    expect((await sendRequest(asked, place, { method: 'DELETE' })).status).toBe(204);
    gate.go();
    expect([(await ending).status, errorCodeOf(await ending)]).toEqual([409, 'conflict']);
    await drain();
    expect([await contents(), await names()]).toEqual([0, []]);
  });

  it('comes later where the store is away just then: 503, and no byte is sent again', async () => {
    const place = await begun();
    await append(place, 0, 1_000);
    held.failures = 1;
    const away = await append(place, 1_000);
    expect([away.status, errorCodeOf(away)]).toEqual([503, 'service_unavailable']);
    const { headers } = await sendRequest(asked, place, { method: 'HEAD' });
    expect(headers.get('upload-offset')).toBe('1000');
    const gate = held.hold(sound.length - 1_000);
    const ending = append(place, 1_000);
    await gate.written;
    // The next write puts it together.
    held.failures = 1;
    gate.go();
    expect((await ending).status).toBe(503);
    expect(await contents()).toBe(0);
    clock.advance(61_000);
    await drain();
    const { memory_id: id } = await eventually(
      async () => parseJson<Upload>(await sendRequest(asked, place)),
      ({ memory_id }) => memory_id !== null,
    );
    const played = await sendRequest(asked, `/v1/memories/${id}/stream`);
    expect(played.bytes.equals(sound)).toBe(true);
    await drain();
    expect((await names()).length).toBe(1);
  });
});
