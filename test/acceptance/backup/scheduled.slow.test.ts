import { randomBytes } from 'node:crypto';
import fs from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { makeTestFolder } from '../../../packages/server/src/database/testing.ts';
import { enqueueDueBackup } from '../../../packages/server/src/domains/operations/index.ts';
import { setInstanceSetting } from '../../../packages/server/src/instance/instance-settings.ts';
import { verifyArchive } from '../../../packages/server/src/providers/archive/index.ts';
import { createFakeClock } from '../../support/fake-clock.ts';
import { type S3Bucket, startS3Bucket } from '../../support/s3-bucket.ts';
import { type engines, oneEngine, startService } from '../../support/service.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
/** At 30 minutes past each hour. */
const schedule = { MNEME_BACKUP_SCHEDULE: '30 * * * *', MNEME_BACKUP_KEEP: '2' };
const ownName = /^mneme-[0-9a-f]{8}-(.+)Z\.backup$/;

/** Up to an hour, and never nothing. */
const untilMinute = (now: Date, minutes: number): number =>
  hourMs - ((now.getTime() - minutes * minuteMs) % hourMs);

/** A service whose time is moved by hand. */
async function startScheduled(engine: (typeof engines)[number], env: Record<string, string>) {
  const clock = createFakeClock(() => 0);
  // At the same minute in each run: none is due at the start.
  clock.advance(untilMinute(clock.now(), 45));
  const overrides = { clock };
  const service = await startService(engine, { isExclusive: true, overrides, env });
  const { worker } = service.running.context;
  /** What is due is planned, and then made. */
  const settle = async (): Promise<void> => {
    await worker.drain();
    await worker.drain();
  };
  await settle();
  return {
    service,
    clock,
    settle,
    /** To some minutes past the next hour. */
    async goTo(minutes: number) {
      clock.advance(untilMinute(clock.now(), minutes));
      await settle();
    },
    async pass(ms: number) {
      clock.advance(ms);
      await settle();
    },
    health: async () => {
      const { status, checks } = await service.operator().operations.health();
      return { status, backups: checks.backups };
    },
    diagnose: () => service.operator().admin.getDiagnosis(),
  };
}
type Scheduled = Awaited<ReturnType<typeof startScheduled>>;

const timesOf = (names: readonly string[]): (string | undefined)[] =>
  names.map((name) => ownName.exec(name)?.[1]?.slice(11));

describe.each(oneEngine)('a schedule of backups into a folder on %s', (engine) => {
  let folder: string;
  let scheduled: Scheduled;
  beforeAll(async () => {
    folder = await makeTestFolder();
    scheduled = await startScheduled(engine, { ...schedule, MNEME_BACKUP_DIR: folder });
  });
  afterAll(async () => {
    await scheduled?.service.stop();
    await fs.rm(folder, { recursive: true, force: true });
  });
  beforeEach(async () => {
    for (const name of await fs.readdir(folder)) await fs.rm(path.join(folder, name));
  });
  const list = async () => (await fs.readdir(folder)).toSorted();

  it('makes one at its time, which is whole, and reports it', async () => {
    const memory = { content: 'Ana drinks tea.' };
    await scheduled.service.client().memories.create({ body: memory });
    await scheduled.goTo(29);
    expect(await list()).toEqual([]);
    await scheduled.goTo(30);
    const [name = '', ...others] = await list();
    expect(others).toEqual([]);
    expect(name).toMatch(ownName);
    const file = path.join(folder, name);
    const { manifest } = await verifyArchive(file);
    expect(manifest.database.kind).toBe(engine === 'embedded' ? 'files' : 'tables');
    const at = scheduled.clock.now().toISOString();
    expect(await scheduled.health()).toEqual({
      status: 'ok',
      backups: { ok: true, detail: `The last backup is of ${at}.` },
    });
    expect(await scheduled.diagnose()).toMatchObject({
      checks: { backups: { ok: true, detail: `The last backup is of ${at}: ${file}.` } },
      findings: [],
    });
    await scheduled.goTo(45);
    expect(await list()).toEqual([name]);
  });

  it('keeps as many as the setting says, and never touches other files', async () => {
    const foreign = [
      'mneme-00000000-2020-01-01T00-00-00Z.backup',
      'before-upgrade-1-to-2-2020-01-01T00-00-00Z.backup',
      'mneme-2020.backup',
      'notes.txt',
    ];
    for (const name of foreign) await fs.writeFile(path.join(folder, name), 'kept');
    const made: string[][] = [];
    for (let round = 0; round < 3; round += 1) {
      await scheduled.goTo(30);
      made.push((await list()).filter((name) => !foreign.includes(name)));
    }
    expect(made.map(({ length }) => length)).toEqual([1, 2, 2]);
    expect(made[2]?.[0]).toBe(made[1]?.[1]);
    expect(await list()).toEqual([...foreign, ...(made[2] ?? [])].toSorted());
  });

  it('makes one that was missed once, and of several the last', async () => {
    await scheduled.pass(3 * 24 * hourMs);
    expect(await list()).toHaveLength(1);
    await scheduled.pass(minuteMs);
    expect(await list()).toHaveLength(1);
  });

  it('makes one, also where several processes plan it at the same time', async () => {
    const { app } = scheduled.service.running.context;
    await Promise.all([scheduled.goTo(30), enqueueDueBackup(app), enqueueDueBackup(app)]);
    await scheduled.settle();
    expect(await list()).toHaveLength(1);
  });

  it('reports a folder that cannot be used, and goes on when it can be', async () => {
    await scheduled.goTo(30);
    const before = await list();
    await fs.rename(folder, `${folder}.away`);
    await fs.writeFile(folder, 'no folder');
    await scheduled.goTo(30);
    const failed = expect.stringMatching(
      /^The backup of .*Z failed: .*ENOTDIR.*\. The last backup/,
    );
    expect(await scheduled.health()).toEqual({
      status: 'degraded',
      backups: { ok: false, detail: failed },
    });
    expect((await scheduled.diagnose()).findings).toMatchObject([
      { kind: 'backup_failed', severity: 'error', message: failed },
    ]);
    await fs.rm(folder);
    await fs.rename(`${folder}.away`, folder);
    expect(await list()).toEqual(before);
    // The first retry comes after a minute.
    await scheduled.pass(2 * minuteMs);
    expect(await list()).toHaveLength(2);
    expect(await scheduled.health()).toMatchObject({ status: 'ok', backups: { ok: true } });
    expect((await scheduled.diagnose()).findings).toEqual([]);
  });

  it('has the ledger of erasures beside it within minutes', async () => {
    const { memories } = scheduled.service.client();
    const ledger = async () => {
      const name = (await list()).find((one) => one.endsWith('-erasures.ndjson'));
      return name === undefined ? null : fs.readFile(path.join(folder, name), 'utf8');
    };
    for (let round = 0; round < 2; round += 1) {
      const { id } = await memories.create({ body: { content: `Erase ${round}.` } });
      await memories.remove({ params: { id } });
      await scheduled.pass(6 * minuteMs);
      expect((await ledger())?.split(id)).toHaveLength(2);
      await fs.rm(path.join(folder, (await list())[0] ?? ''));
      await scheduled.pass(6 * minuteMs);
      // Nothing was erased since.
      expect(await ledger()).toBeNull();
    }
  });

  it('reports one that is late by hours', async () => {
    const { db } = scheduled.service.running.context.app.engine;
    const at = new Date(scheduled.clock.now().getTime() - 8 * hourMs).toISOString();
    const last = { at, location: '/gone', bytes: 1, seconds: 1 };
    await setInstanceSetting(db, 'backup_last', JSON.stringify(last));
    const missing = expect.stringMatching(/^The backup of .*Z is missing\. The last backup is of /);
    expect((await scheduled.health()).backups).toEqual({ ok: false, detail: missing });
    expect((await scheduled.diagnose()).findings).toMatchObject([
      { kind: 'backup_missing', severity: 'warning', message: missing },
    ]);
    await scheduled.goTo(30);
    expect((await scheduled.health()).backups).toMatchObject({ ok: true });
  });
});

describe.each(oneEngine)('a schedule of backups into a bucket on %s', (engine) => {
  /** As the server of the tests keeps an object. */
  const suffix = '._S3rver_object';
  let bucket: S3Bucket;
  let scheduled: Scheduled;
  beforeAll(async () => {
    bucket = await startS3Bucket();
    const { MNEME_S3_BUCKET: name = '', MNEME_S3_PREFIX: _, ...access } = bucket.env;
    const env = { ...schedule, ...access, MNEME_BACKUP_BUCKET: name };
    scheduled = await startScheduled(engine, env);
  });
  afterAll(async () => {
    await scheduled?.service.stop();
    await bucket?.stop();
  });
  const folder = () => path.join(bucket.folder, 'mneme', 'backups');
  const list = async () =>
    (await fs.readdir(folder()).catch(() => []))
      .filter((name) => name.endsWith(suffix))
      .map((name) => name.slice(0, -suffix.length))
      .toSorted();

  it('makes one of several parts at its time, whole, and reports where it is', async () => {
    const { blobs } = scheduled.service.running.context.app;
    const content = [randomBytes(2 ** 25), randomBytes(2 ** 20)];
    const { name: blob } = await blobs.write(
      (async function* () {
        yield* content;
      })(),
      { bytesMax: 2 ** 30 },
    );
    await scheduled.goTo(30);
    const [name = ''] = await list();
    expect(timesOf([name])[0]).toMatch(/^\d{2}-30-/);
    const { blobs: stored } = await verifyArchive(path.join(folder(), name + suffix));
    expect(stored).toEqual({ entries: 1, bytes: 2 ** 25 + 2 ** 20 });
    const { checks, findings } = await scheduled.diagnose();
    expect(findings).toEqual([]);
    expect(checks.backups?.detail).toMatch(new RegExp(`: s3://mneme/backups/${name}\\.$`));
    await blobs.remove(blob);
    // Nothing of it was written to the data folder.
    const { dataDir } = scheduled.service.config;
    expect(await fs.readdir(dataDir)).not.toContain('backups');
  });

  it('keeps as many as the setting says', async () => {
    const made: string[][] = [];
    for (let round = 0; round < 3; round += 1) {
      await scheduled.goTo(30);
      made.push(await list());
    }
    expect(made.map(({ length }) => length)).toEqual([2, 2, 2]);
    expect(made[2]?.[0]).toBe(made[1]?.[1]);
  });

  it('reports a bucket that does not answer, and goes on when it does', async () => {
    const before = await list();
    bucket.fail(1_000);
    await scheduled.goTo(30);
    const failed = expect.stringMatching(/^The backup of .* failed: the bucket .*status 503/);
    expect(await scheduled.health()).toEqual({
      status: 'degraded',
      backups: { ok: false, detail: failed },
    });
    bucket.fail(0);
    expect(await list()).toEqual(before);
    await scheduled.pass(2 * minuteMs);
    expect(await list()).not.toEqual(before);
    expect(await scheduled.health()).toMatchObject({ status: 'ok', backups: { ok: true } });
  });
});
