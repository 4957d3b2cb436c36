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

/** A blob store whose writes a test can delay or fail. */
interface Held {
  readonly blobs: BlobStore;
  /** Resolves when a blob of this size is written; the write itself completes after `go`. */
  hold(bytes: number): { readonly written: Promise<void>; go(): void };
  /** Stops delaying writes. */
  release(): void;
  /** The number of writes that fail next. */
  failures: number;
}

function holding(blobs: BlobStore): Held {
  let gate: { bytes: number; tell(): void; open: Promise<void> } | null = null;
  const opened: (() => void)[] = [];
  const controlled: Held = {
    failures: 0,
    blobs: {
      ...blobs,
      async write(source, limits) {
        if (controlled.failures > 0) {
          controlled.failures -= 1;
          throw new BlobStoreUnavailable('out of reach');
        }
        const stored = await blobs.write(source, limits);
        if (gate === null || gate.bytes !== stored.bytes) return stored;
        const { tell, open } = gate;
        gate = null;
        tell();
        await open;
        return stored;
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
  return controlled;
}

describe.each(engines)('the end of an upload in parts on %s', (engine) => {
  let folder: string;
  let service: Service;
  let clock: FakeClock;
  let controlled: Held;
  let credentials: ApiCredentials;
  let sound: Buffer;
  beforeEach(async () => {
    clock = createFakeClock();
    folder = await mkdtemp(path.join(os.tmpdir(), 'mneme-ending-'));
    controlled = holding(createFolderBlobStore(folder, { ids: createIds(clock), clock }));
    service = await startService(engine, { overrides: { clock, blobs: controlled.blobs } });
    credentials = { url: service.url, key: (await service.createAccount()).key };
    sound = await generateAudio('tone.wav', 1);
  });
  afterEach(async () => {
    controlled.release();
    await service.stop();
    await rm(folder, { recursive: true, force: true });
  });

  async function createUpload(): Promise<string> {
    const headers = { 'tus-resumable': '1.0.0', 'upload-length': String(sound.length) };
    const response = await sendRequest(credentials, '/v1/media/uploads', {
      method: 'POST',
      headers,
    });
    return response.headers.get('location') ?? '';
  }
  const append = (uploadUrl: string, offset: number, end = sound.length): Promise<HttpResult> =>
    sendRequest(credentials, uploadUrl, {
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
    for await (const some of controlled.blobs.listNamesBefore(new Date('2999-01-01')))
      found.push(...some);
    return found;
  };
  /** The remaining time of the completion lease. */
  const leaseSeconds = async (): Promise<number> => {
    const { db } = service.running.context.app.engine;
    const { lease_until: until } = await db
      .selectFrom('media_uploads')
      .select('lease_until')
      .executeTakeFirstOrThrow();
    return ((until?.getTime() ?? 0) - clock.now().getTime()) / 1_000;
  };
  const contents = async (): Promise<number> =>
    (await service.client(credentials.key).memories.list()).data.length;

  it('is one, however long it takes, and whoever asks for it again', async () => {
    const uploadUrl = await createUpload();
    await append(uploadUrl, 0, 1_000);
    const gate = controlled.hold(sound.length);
    const ending = append(uploadUrl, 1_000);
    await gate.written;
    for (let step = 0; step < 6; step += 1) {
      clock.advance(20_000);
      const renewed = async (): Promise<number> => {
        // The timer of a renewal starts only after the last one has returned.
        clock.advance(1_000);
        return leaseSeconds();
      };
      await eventually(renewed, (seconds) => seconds > 50);
    }
    await drain();
    const again = await append(uploadUrl, sound.length);
    expect([again.status, errorCodeOf(again)]).toEqual([409, 'conflict']);
    gate.go();
    const response = await ending;
    expect(response.status).toBe(204);
    const id = response.headers.get('x-mneme-memory-id');
    expect(parseJson<Upload>(await sendRequest(credentials, uploadUrl)).memory_id).toBe(id);
    expect((await append(uploadUrl, sound.length)).headers.get('x-mneme-memory-id')).toBe(id);
    expect(await contents()).toBe(1);
    await drain();
    expect((await names()).length).toBe(1);
  });

  it('is none where it was given up meanwhile, and nothing of it is left', async () => {
    const uploadUrl = await createUpload();
    await append(uploadUrl, 0, 1_000);
    const gate = controlled.hold(sound.length);
    const ending = append(uploadUrl, 1_000);
    await gate.written;
    expect((await sendRequest(credentials, uploadUrl, { method: 'DELETE' })).status).toBe(204);
    gate.go();
    expect([(await ending).status, errorCodeOf(await ending)]).toEqual([409, 'conflict']);
    await drain();
    expect([await contents(), await names()]).toEqual([0, []]);
  });

  it('comes later where the store is away just then: 503, and no byte is sent again', async () => {
    const uploadUrl = await createUpload();
    await append(uploadUrl, 0, 1_000);
    controlled.failures = 1;
    const away = await append(uploadUrl, 1_000);
    expect([away.status, errorCodeOf(away)]).toEqual([503, 'service_unavailable']);
    const { headers } = await sendRequest(credentials, uploadUrl, { method: 'HEAD' });
    expect(headers.get('upload-offset')).toBe('1000');
    const gate = controlled.hold(sound.length - 1_000);
    const ending = append(uploadUrl, 1_000);
    await gate.written;
    // The next write assembles the parts.
    controlled.failures = 1;
    gate.go();
    expect((await ending).status).toBe(503);
    expect(await contents()).toBe(0);
    clock.advance(61_000);
    await drain();
    const { memory_id: id } = await eventually(
      async () => parseJson<Upload>(await sendRequest(credentials, uploadUrl)),
      ({ memory_id }) => memory_id !== null,
    );
    const played = await sendRequest(credentials, `/v1/memories/${id}/stream`);
    expect(played.bytes.equals(sound)).toBe(true);
    await drain();
    expect((await names()).length).toBe(1);
  });
});
