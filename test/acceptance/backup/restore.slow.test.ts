import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { Client } from '@mneme/sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { waveFile } from '../../support/media-containers.ts';
import { isAvailable } from '../../support/requirements.ts';
import { createDataLocation, startServerProcess } from '../../support/server-process.ts';
import { engines } from '../../support/service.ts';
import { createMemory } from '../memories/memory-requests.ts';
import { backupEnv, downloadBackup, runRestore } from './backup-commands.ts';
import { startWriteLoad } from './write-load.ts';

const idsFound = async (client: Client, q: string): Promise<string[]> => {
  const { results } = await client.search.get({ query: { q, limit: 20, threshold: 0 } });
  return results.map(({ id }) => id);
};

async function verification(client: Client) {
  const { job_id: id } = await client.admin.startVerification({ body: { deep: true } });
  return eventually(
    () => client.admin.getVerification({ params: { id } }),
    ({ status }) => status === 'completed',
    60_000,
  );
}

interface Archive {
  readonly file: string;
  readonly adminKey: string;
  /** Ids that were stored before the backup began, while others wrote. */
  readonly acknowledged: readonly string[];
  /** The ids that a search has found, by its words. */
  readonly found: ReadonlyMap<string, readonly string[]>;
  /** The recording, where there is FFmpeg. */
  readonly sound: string | null;
}

async function backUpBesideWriters(from: (typeof engines)[number], file: string): Promise<Archive> {
  const place = await createDataLocation(from);
  try {
    await using server = await startServerProcess(place, { env: backupEnv });
    const client = server.client();
    const { id: space_id } = await client.spaces.create({ body: { name: 'kitchen' } });
    await createMemory(client, 'Ana Costa drinks green tea in Lisbon.', { space_id });
    await createMemory(client, 'Björn Larsen prefers coffee, a\\b\tc\nd.', {
      metadata: { nested: { list: [1, 2.5, null, 'x"y'] } },
      tags: ['drinks', 'ünïcode 😀'],
    });
    let sound: string | null = null;
    if (isAvailable('ffmpeg')) {
      const bytes = waveFile(Buffer.alloc(16_000), { rate: 8_000 });
      const made = await client.memories.upload({ file: new Blob([bytes]), filename: 'a.wav' });
      sound = made.id;
    }
    const found = new Map<string, readonly string[]>();
    for (const q of ['tea', 'coffee']) found.set(q, await idsFound(client, q));
    const load = startWriteLoad(client, []);
    const acknowledged: string[] = [];
    for (let i = 0; i < 20; i += 1) {
      acknowledged.push((await createMemory(client, `Crane ${i} stands at the harbour.`)).id);
    }
    await downloadBackup(client, file);
    await load.stop();
    return { file, adminKey: server.adminKey, acknowledged, found, sound };
  } finally {
    await place.remove();
  }
}

describe.each(engines)('a backup of the engine %s', (from) => {
  let archiveFolder: string;
  let archive: Archive;
  beforeAll(async () => {
    archiveFolder = await mkdtemp(path.join(os.tmpdir(), 'mneme-backup-'));
    archive = await backUpBesideWriters(from, path.join(archiveFolder, 'one.backup'));
  });
  afterAll(() => rm(archiveFolder, { recursive: true, force: true }));

  it.each(engines)(
    'has all that was acknowledged before it, beside writers, and finds the same: into %s',
    async (to) => {
      const target = await createDataLocation(to, { migrated: false });
      try {
        const ran = await runRestore(target, archive.file);
        expect(ran).toMatchObject({ code: 0 });
        expect(ran.output).toContain('The verification found no errors.');
        await using copy = await startServerProcess(target, { env: backupEnv });
        const client = copy.client(archive.adminKey);
        for (const id of archive.acknowledged) {
          expect((await client.memories.get({ params: { id } })).content).toMatch(/^Crane/);
        }
        for (const [q, ids] of archive.found) {
          expect(await idsFound(client, q)).toEqual(expect.arrayContaining([...ids]));
        }
        if (archive.sound !== null) {
          const response = await client.media.stream({ params: { id: archive.sound } });
          expect((await response.arrayBuffer()).byteLength).toBeGreaterThan(16_000);
        }
        expect(await verification(client)).toMatchObject({ faults_total: 0, damaged_pages: [] });
        const { checks } = await client.operations.health();
        expect(checks.deliveries?.detail).toMatch(/^Paused since/);
      } finally {
        await target.remove();
      }
    },
    180_000,
  );
});

it('erases again what was erased after the backup, or keeps it where it is asked to', async () => {
  const place = await createDataLocation('embedded');
  const targets = [await createDataLocation('embedded', { migrated: false })];
  targets.push(await createDataLocation('embedded', { migrated: false }));
  const folder = await mkdtemp(path.join(os.tmpdir(), 'mneme-backup-'));
  const file = path.join(folder, 'one.backup');
  try {
    let adminKey: string;
    let erased: string;
    let stays: string;
    {
      await using server = await startServerProcess(place, { env: backupEnv });
      adminKey = server.adminKey;
      const client = server.client();
      erased = (await createMemory(client, 'Ana wants this to be forgotten.')).id;
      stays = (await createMemory(client, 'Ana wants this to be kept.')).id;
      await downloadBackup(client, file);
      await client.memories.remove({ params: { id: erased } });
      // The ledger's file is complete when the server has stopped.
      await server.kill('SIGTERM');
    }
    await copyFile(
      path.join(place.dataDir, 'erasures.ndjson'),
      path.join(folder, 'mneme-01234567-erasures.ndjson'),
    );
    for (const [i, target] of targets.entries()) {
      const flags = i === 0 ? [] : ['--no-erase-again'];
      const ran = await runRestore(target, file, backupEnv, flags);
      expect(ran).toMatchObject({ code: 0 });
      expect(/Repeated 1 erasure that followed the backup\./.test(ran.output)).toBe(i === 0);
      await using copy = await startServerProcess(target, { env: backupEnv });
      const found = await copy.client(adminKey).memories.list({ query: {} });
      expect(found.data.map(({ id }) => id).toSorted()).toEqual(
        (i === 0 ? [stays] : [erased, stays]).toSorted(),
      );
    }
  } finally {
    await place.remove();
    for (const target of targets) await target.remove();
    await rm(folder, { recursive: true, force: true });
  }
}, 120_000);
