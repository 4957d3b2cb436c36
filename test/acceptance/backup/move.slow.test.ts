import { readdir } from 'node:fs/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import {
  createDataLocation,
  type DataLocation,
  launchServer,
  startServerProcess,
} from '../../support/server-process.ts';
import { engines } from '../../support/service.ts';
import { createMemory } from '../memories/memory-requests.ts';
import { startWebhookReceiver } from '../webhooks/delivery/webhook-receiver.ts';
import {
  describeInstallation,
  installationEnv as env,
  fillInstallation,
  verifyInstallation,
} from './installation.ts';
import { killAndRepeat, move, withDatabase } from './move-kills.ts';

const places: DataLocation[] = [];
afterEach(async () => {
  for (const place of places.splice(0)) await place.remove();
});

async function place(...parameters: Parameters<typeof createDataLocation>): Promise<DataLocation> {
  const made = await createDataLocation(...parameters);
  places.push(made);
  return made;
}

const emptyDatabase = async (): Promise<string> =>
  (await place('PostgreSQL', { migrated: false })).databaseUrl ?? '';

/** What the server says as it refuses to start. */
async function refusalOf(at: DataLocation): Promise<string> {
  await using launched = launchServer(at, { env });
  const { code } = await launched.ended;
  expect(code).not.toBe(0);
  return launched.output();
}

/** Starts it, runs something, and stops it as an operator does. */
async function whileRunning<T>(
  at: DataLocation,
  run: (server: Awaited<ReturnType<typeof startServerProcess>>) => Promise<T>,
): Promise<T> {
  await using server = await startServerProcess(at, { env });
  const result = await run(server);
  await server.kill('SIGTERM');
  return result;
}

/** A move while the installation runs, of which the reason says why it is refused. */
async function expectRefused(at: DataLocation, to: string, reason: RegExp): Promise<void> {
  const { code, output } = await move(at, to);
  expect(code).toBe(1);
  expect(output).toMatch(reason);
}

describe.each(engines.filter((engine) => engine !== 'embedded'))('a move to %s', () => {
  it('and back keeps everything, and deliveries go on from the new database', async () => {
    const embedded = await place('embedded');
    const url = await emptyDatabase();
    const server = withDatabase(embedded, url);
    await using receiver = await startWebhookReceiver(() => 'takes');
    const before = await whileRunning(embedded, async (running) => {
      await fillInstallation(running.client(), receiver.url);
      const to = 'postgres://127.0.0.1:1/none';
      await expectRefused(embedded, to, /The data folder .* is in use/);
      return describeInstallation(running.client());
    });
    // One that is killed leaves the source as it was.
    const unused = await emptyDatabase();
    expect(await killAndRepeat(embedded, unused, 'Verifying the copy', 0)).toBe('kept');
    const isDelivered = async (at: DataLocation, content: string): Promise<void> =>
      whileRunning(at, async (running) => {
        const client = running.client();
        expect(await describeInstallation(client)).toEqual(before);
        expect(await verifyInstallation(client)).toEqual([]);
        expect((await client.operations.health()).checks.deliveries?.detail ?? '').not.toMatch(
          'Paused',
        );
        expect((await client.admin.getDiagnosis()).findings).toEqual([]);
        if (at.databaseUrl !== null) {
          await expectRefused(at, 'embedded', /Servers still use the database: stop them first\./);
        }
        const { id } = await createMemory(client, content);
        await eventually(
          async () => receiver.received.filter(({ body }) => body.includes(content)),
          ({ length }) => length === 1,
          20_000,
        );
        await client.memories.remove({ params: { id } });
      });

    const there = await move(embedded, url);
    expect(there).toMatchObject({ code: 0 });
    expect(there.output).toContain('Moved 1 account. The verification found no errors.');
    expect(await refusalOf(embedded)).toMatch(
      /data folder .* belongs to a server database: set MNEME_DATABASE_URL/,
    );
    await isDelivered(server, 'Stored after the move there.');

    expect(await killAndRepeat(server, null, 'Verifying the copy', 0)).toBe('kept');
    const back = await move(server, 'embedded');
    expect(back).toMatchObject({ code: 0 });
    expect(await refusalOf(server)).toMatch(
      /data folder .* belongs to an embedded database.*: unset MNEME_DATABASE_URL/,
    );
    const elsewhere = await place('embedded', { migrated: false });
    expect(await refusalOf(withDatabase(elsewhere, url))).toContain(
      'This database was moved to the embedded database of its data folder: start the server ' +
        'without MNEME_DATABASE_URL.',
    );
    await isDelivered(embedded, 'Stored after the move back.');
    const ids = receiver.received.map(({ deliveryId }) => deliveryId);
    expect(new Set(ids).size).toBe(ids.length);
  }, 300_000);

  it('that cannot begin leaves the source as it was', async () => {
    const at = await place('embedded');
    await whileRunning(at, (server) => createMemory(server.client(), 'The source.'));
    const used = (await place('PostgreSQL')).databaseUrl ?? '';
    const refused = await move(at, used);
    expect(refused.code).toBe(1);
    expect(refused.output).toMatch(
      /server database is not empty \(it has \w+.*\): create a new database\./,
    );
    expect((await move(at, 'postgres://127.0.0.1:1/none')).code).toBe(1);
    expect((await move(at, 'embedded')).output).toContain('already in the embedded database');
    await whileRunning(at, async (server) => {
      expect((await server.client().memories.list()).data).toHaveLength(1);
    });
    const empty = await place('embedded', { migrated: false });
    expect((await move(empty, used)).output).toContain('has no embedded database');
    expect(await readdir(empty.dataDir)).toEqual([]);
  });
});
