import { createHash, randomBytes } from 'node:crypto';
import { readdir, utimes } from 'node:fs/promises';
import path from 'node:path';
import type { Upload, Verification } from '@mneme/contract';
import { openEngine } from '../../packages/server/src/database/index.ts';
import { silentLog } from '../../packages/server/src/database/testing.ts';
import { createSeededRandom, type SeededRandom } from '../acceptance/durability/seeded-random.ts';
import {
  type ApiCredentials,
  createForm,
  parseJson,
  sendRequest,
  uploadForm,
} from '../acceptance/media/http-requests.ts';
import { eventually } from '../support/eventually.ts';
import { startS3Bucket } from '../support/s3-bucket.ts';
import {
  createDataLocation,
  type DataLocation,
  type ServerProcess,
  startServerProcess,
} from '../support/server-process.ts';
import type { engines } from '../support/service.ts';

/** Kills a server while recordings arrive, in forms and in parts, and go; then looks at all. */

export interface MediaRounds {
  readonly rounds: number;
  readonly seed: number;
  readonly store: 'folder' | 'bucket';
}

export interface MediaReport {
  readonly answered: number;
  readonly kept: number;
  readonly deleted: number;
  readonly wentOn: number;
  /** Each finding is a broken promise. */
  readonly wrong: string[];
}

const patienceMs = 120_000;
/** Who died with an upload has it for a minute yet. */
const endingMs = 200_000;
const partBytes = 150_000;
const dayMs = 86_400_000;

/** A recording of noise, no two alike: 16 bit, one channel, 8 kHz. */
function noise(bytes: number): Buffer {
  const head = Buffer.alloc(44);
  head.write('RIFF', 0);
  head.writeUInt32LE(36 + bytes, 4);
  head.write('WAVEfmt ', 8);
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(1, 22);
  head.writeUInt32LE(8_000, 24);
  head.writeUInt32LE(16_000, 28);
  head.writeUInt16LE(2, 32);
  head.writeUInt16LE(16, 34);
  head.write('data', 36);
  head.writeUInt32LE(bytes, 40);
  return Buffer.concat([head, randomBytes(bytes)]);
}

const hashOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** An upload in parts that goes on over as many lives of the server as it takes. */
interface Parted {
  readonly place: string;
  readonly bytes: Buffer;
  /** Bytes whose arrival was answered. */
  answered: number;
}

/** Nothing was to be done just then. */
const idle = Symbol('idle');

class Crowd {
  readonly #chance: SeededRandom;
  readonly sent = new Set<string>();
  /** The hash of each memory that was answered. */
  readonly answered = new Map<string, string>();
  readonly deleted = new Set<string>();
  /** Asked to be deleted when the server died: it may have happened or not. */
  readonly maybeDeleted = new Set<string>();
  readonly parted: Parted[] = [];
  readonly wrong: string[] = [];
  answers = 0;
  wentOn = 0;

  constructor(seed: number) {
    this.#chance = createSeededRandom(seed);
  }

  /** Everything at once, until the server is gone. */
  async press(asked: ApiCredentials): Promise<void> {
    await Promise.all([
      this.#until(() => this.#sendForm(asked)),
      this.#until(() => this.#sendForm(asked)),
      this.#until(() => this.#sendParted(asked, this.#lastParted())),
      this.#until(() => this.#delete(asked)),
    ]);
  }

  async #until(act: () => Promise<unknown>): Promise<void> {
    for (;;) {
      const done = await act();
      if (done === null) return;
      if (done !== idle) this.answers += 1;
    }
  }

  #made(): Buffer {
    const bytes = noise(2 * this.#chance.integer(10_000, 600_000));
    this.sent.add(hashOf(bytes));
    return bytes;
  }

  async #sendForm(asked: ApiCredentials): Promise<unknown> {
    const bytes = this.#made();
    const told = await uploadForm(asked, createForm(bytes)).catch(() => null);
    if (told?.status === 201) this.answered.set(parseJson(told).id, hashOf(bytes));
    else if (told) this.wrong.push(`a form was ${told.status}: ${told.bytes}`);
    return told;
  }

  #lastParted(): Parted | undefined {
    const last = this.parted.at(-1);
    return last && last.answered < last.bytes.length ? last : undefined;
  }

  async #sendParted(asked: ApiCredentials, known: Parted | undefined): Promise<unknown> {
    const one = known ?? (await this.#begin(asked));
    if (one === null) return null;
    const offset = await this.#offsetOf(asked, one);
    if (offset === null) return null;
    if (known !== undefined && offset > 0) this.wentOn += 1;
    return this.sendFrom(asked, one, offset);
  }

  /** Where it is, and no byte before that which was answered has got lost. */
  async #offsetOf(
    asked: ApiCredentials,
    { place, answered, bytes }: Parted,
  ): Promise<number | null> {
    const told = await sendRequest(asked, place, { method: 'HEAD' }).catch(() => null);
    if (told === null) return null;
    const offset = Number(told.headers.get('upload-offset') ?? Number.NaN);
    const isSound = told.status === 200 && offset >= answered && offset <= bytes.length;
    if (!isSound) this.wrong.push(`${place} is ${told.status} at ${offset}, not ${answered}`);
    return isSound ? offset : null;
  }

  /** The rest of it, in parts; null where the server went away meanwhile. */
  async sendFrom(asked: ApiCredentials, one: Parted, from: number): Promise<unknown> {
    const { place, bytes } = one;
    let offset = from;
    do {
      const body = new Uint8Array(bytes.subarray(offset, offset + partBytes));
      const headers = {
        'tus-resumable': '1.0.0',
        'upload-offset': String(offset),
        'content-type': 'application/offset+octet-stream',
      };
      const told = await sendRequest(asked, place, { method: 'PATCH', headers, body }).catch(
        () => null,
      );
      if (told === null) return null;
      // Whoever died with all of its bytes is waited for.
      if (told.status === 409 && offset === bytes.length) return told;
      if (told.status !== 204) {
        this.wrong.push(`a part at ${offset} was ${told.status}: ${told.bytes}`);
        return null;
      }
      offset = Number(told.headers.get('upload-offset'));
      one.answered = offset;
      this.answers += 1;
      const id = told.headers.get('x-mneme-memory-id');
      if (id !== null) this.answered.set(id, hashOf(bytes));
    } while (offset < bytes.length);
    return true;
  }

  async #begin(asked: ApiCredentials): Promise<Parted | null> {
    const bytes = this.#made();
    const headers = { 'tus-resumable': '1.0.0', 'upload-length': String(bytes.length) };
    const asking = sendRequest(asked, '/v1/media/uploads', { method: 'POST', headers });
    const told = await asking.catch(() => null);
    if (told === null) return null;
    const one = { place: told.headers.get('location') ?? '', bytes, answered: 0 };
    this.parted.push(one);
    return one;
  }

  async #delete(asked: ApiCredentials): Promise<unknown> {
    const ids = [...this.answered.keys()].filter(
      (id) => !this.deleted.has(id) && !this.maybeDeleted.has(id),
    );
    // Something is to be left, and a place to wait at.
    if (ids.length < 4) return (await sendRequest(asked, '/v1/health').catch(() => null)) && idle;
    const id = this.#chance.pick(ids);
    this.maybeDeleted.add(id);
    const told = await sendRequest(asked, `/v1/memories/${id}`, { method: 'DELETE' }).catch(
      () => null,
    );
    if (told?.status === 200 || told?.status === 204) this.deleted.add(id);
    else if (told) this.wrong.push(`a deletion was ${told.status}: ${told.bytes}`);
    return told;
  }

  /** Every upload in parts ends, with the bytes that were sent. */
  async finish(asked: ApiCredentials): Promise<void> {
    for (const one of this.parted) {
      const offset = await this.#offsetOf(asked, one);
      if (offset === null) continue;
      if (offset < one.bytes.length) await this.sendFrom(asked, one, offset);
      const { memory_id: id } = await eventually(
        async () => parseJson<Upload>(await sendRequest(asked, one.place)),
        ({ memory_id }) => memory_id !== null,
        endingMs,
      );
      if (id !== null) this.answered.set(id, hashOf(one.bytes));
    }
  }

  /** Each memory has all of the bytes that it was sent with; returns how many there are. */
  async look({ client }: ServerProcess, asked: ApiCredentials): Promise<number> {
    const found = new Set<string>();
    for await (const { id } of client().memories.list({ query: { limit: 100 } })) {
      found.add(id);
      const { status, bytes } = await sendRequest(asked, `/v1/memories/${id}/stream`);
      const hash = hashOf(bytes);
      const isWhole = status === 200 && this.sent.has(hash);
      if (!isWhole) this.wrong.push(`${id} is ${status} with ${bytes.length} bytes`);
      if ((this.answered.get(id) ?? hash) !== hash) this.wrong.push(`${id} has another's bytes`);
      if (this.deleted.has(id)) this.wrong.push(`${id} was deleted, and is there`);
    }
    for (const id of this.answered.keys()) {
      if (!found.has(id) && !this.maybeDeleted.has(id)) this.wrong.push(`${id} is not there`);
    }
    return found.size;
  }
}

/** All that is kept is two days old, and the job that looks for strays is due. */
async function planSweep(place: DataLocation, folder: string, number: number): Promise<void> {
  const long = new Date(Date.now() - 2 * dayMs);
  // A bucket goes on with what the dead have asked of it: some go just now.
  for (const file of await filesIn(folder)) await utimes(file, long, long).catch(() => {});
  const { dataDir, databaseUrl: url } = place;
  const settings =
    url === null
      ? ({ kind: 'embedded', dataDir, freeBytesMin: 0 } as const)
      : ({ kind: 'server', url, poolMax: 1 } as const);
  await using engine = await openEngine(settings, { log: silentLog });
  const id = `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
  const now = new Date();
  const job = { id, kind: 'blobs.sweep', payload: '{}', run_at: now, created_at: now };
  await engine.db.insertInto('jobs').values(job).execute();
}

async function filesIn(folder: string): Promise<string[]> {
  const found = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  return found.filter((one) => one.isFile()).map((one) => path.join(one.parentPath, one.name));
}

export async function mediaRounds(
  engine: (typeof engines)[number],
  { rounds, seed, store }: MediaRounds,
): Promise<MediaReport> {
  const place = await createDataLocation(engine);
  const bucket = store === 'bucket' ? await startS3Bucket() : null;
  const env = {
    MNEME_PORT: '0',
    MNEME_DATA_DIR: place.dataDir,
    PATH: process.env.PATH ?? '',
    ...(place.databaseUrl === null ? {} : { MNEME_DATABASE_URL: place.databaseUrl }),
    ...bucket?.env,
  };
  const folder = bucket?.folder ?? path.join(place.dataDir, 'blobs');
  const crowd = new Crowd(seed);
  const chance = createSeededRandom(seed + 1);
  try {
    for (let round = 0; round < rounds; round += 1) {
      if (round > 0) await planSweep(place, folder, round);
      const server = await startServerProcess(place, { env });
      const pressing = crowd.press({ url: server.url, key: server.adminKey });
      const enough = crowd.answers + chance.integer(5, 40);
      await eventually(
        async () => crowd.answers,
        (answers) => answers >= enough || crowd.wrong.length > 0,
        patienceMs,
      );
      await server.kill('SIGKILL', 'group');
      await pressing;
    }
    return await lookAtAll(place, { env, folder, crowd });
  } finally {
    await bucket?.stop();
    await place.remove();
  }
}

interface After {
  readonly env: Record<string, string>;
  readonly folder: string;
  readonly crowd: Crowd;
}

async function lookAtAll(place: DataLocation, { env, folder, crowd }: After): Promise<MediaReport> {
  {
    await using server = await startServerProcess(place, { env });
    await crowd.finish({ url: server.url, key: server.adminKey });
    await server.kill('SIGTERM');
  }
  await planSweep(place, folder, 999_999);
  await using server = await startServerProcess(place, { env });
  const asked = { url: server.url, key: server.adminKey };
  const kept = await crowd.look(server, asked);
  const verification = await eventually(
    () => verify(server),
    ({ stray_blobs: strays }) => strays === 0,
    endingMs,
  );
  for (const { code, id } of verification.faults) crowd.wrong.push(`${code} at ${id}`);
  const { wrong, answered, deleted, wentOn } = crowd;
  await server.kill('SIGTERM');
  return { answered: answered.size, deleted: deleted.size, kept, wentOn, wrong };
}

async function verify({ client }: ServerProcess): Promise<Verification> {
  const { admin } = client();
  const { job_id: id } = await admin.startVerification({ body: { deep: true } });
  return eventually(
    () => admin.getVerification({ params: { id } }),
    ({ status }) => status === 'completed' || status === 'failed',
    patienceMs,
  );
}
