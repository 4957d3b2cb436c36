import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { runCount, testSeed } from '../../support/run-count.ts';
import {
  createDataLocation,
  type DataLocation,
  launchServer,
  startServerProcess,
} from '../../support/server-process.ts';
import { engines } from '../../support/service.ts';
import { createSeededRandom } from '../durability/seeded-random.ts';
import { createMemory } from '../memories/memory-requests.ts';
import { startWebhookReceiver } from '../webhooks/delivery/webhook-receiver.ts';
import { killAfter, launchCommand, runCommand } from './backup-commands.ts';
import {
  describeInstallation,
  installationEnv as env,
  fillInstallation,
  verifyInstallation,
} from './installation.ts';

const places: DataLocation[] = [];
afterEach(async () => {
  for (const place of places.splice(0)) await place.remove();
});

async function place(...parameters: Parameters<typeof createDataLocation>): Promise<DataLocation> {
  const made = await createDataLocation(...parameters);
  places.push(made);
  return made;
}

/** The same data folder with another database, or with the embedded one. */
const withDatabase = ({ dataDir }: DataLocation, databaseUrl: string | null): DataLocation => ({
  dataDir,
  databaseUrl,
  remove: async () => undefined,
});

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

const move = (at: DataLocation, to: string) => runCommand(at, ['move', '--to', to]);

describe.each(engines)('a move of a running installation on %s', (engine) => {
  it('is refused', async () => {
    const at = await place(engine);
    await whileRunning(at, async (server) => {
      const to = engine === 'embedded' ? 'postgres://127.0.0.1:1/none' : 'embedded';
      const { code, output } = await move(at, to);
      expect(code).toBe(1);
      expect(output).toMatch(
        engine === 'embedded'
          ? /The data folder .* is in use/
          : 'Servers still use the database: stop them first.',
      );
      await createMemory(server.client(), 'It still runs.');
    });
  });
});

describe.each(engines.filter((engine) => engine !== 'embedded'))('a move to %s', () => {
  it('and back keeps everything, and deliveries go on from the new database', async () => {
    const embedded = await place('embedded');
    const url = await emptyDatabase();
    const server = withDatabase(embedded, url);
    await using receiver = await startWebhookReceiver(() => 'takes');
    const before = await whileRunning(embedded, async (running) => {
      await fillInstallation(running.client(), receiver.url);
      return describeInstallation(running.client());
    });
    const isDelivered = async (at: DataLocation, content: string): Promise<void> =>
      whileRunning(at, async (running) => {
        const client = running.client();
        expect(await describeInstallation(client)).toEqual(before);
        expect(await verifyInstallation(client)).toEqual([]);
        expect((await client.operations.health()).checks.deliveries?.detail ?? '').not.toMatch(
          'Paused',
        );
        expect((await client.admin.getDiagnosis()).findings).toEqual([]);
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
  }, 240_000);

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

  it('or back that is killed leaves the source as it was, or is ended by the next', async () => {
    const chance = createSeededRandom(testSeed);
    const steps = [
      ['Verifying the copy', 1_500],
      ['Switching the data folder', 30],
      ['Copying the database', 1_500],
    ] as const;
    let at = await place('embedded');
    const before = await whileRunning(at, async (server) => {
      await fillInstallation(server.client(), 'http://127.0.0.1:1/');
      return describeInstallation(server.client());
    });
    const outcomes: string[] = [];
    for (let i = 0; i < runCount(2, 20); i += 1) {
      const [label, delayMsMax] = steps[Math.floor(i / 2) % steps.length] as (typeof steps)[number];
      const url = at.databaseUrl === null ? await emptyDatabase() : null;
      outcomes.push(
        `${label}: ${await killAndRepeat(at, url, label, chance.fraction() * delayMsMax)}`,
      );
      at = withDatabase(at, outcomes.at(-1)?.endsWith(': kept') ? at.databaseUrl : url);
      if (outcomes.at(-1)?.endsWith(': kept')) {
        const again = url === null ? null : await emptyDatabase();
        expect(await move(at, again ?? 'embedded')).toMatchObject({ code: 0 });
        at = withDatabase(at, again);
      }
      await whileRunning(at, async (server) => {
        expect(await describeInstallation(server.client())).toEqual(before);
      });
    }
    process.stdout.write(`killed moves, seed ${testSeed}: ${JSON.stringify(outcomes)}\n`);
  }, 1_200_000);
});

/** `kept`: the source can be started as before; `moved`: it cannot, and the next call ends it. */
async function killAndRepeat(
  at: DataLocation,
  url: string | null,
  label: string,
  delayMs: number,
): Promise<'kept' | 'moved'> {
  const to = url ?? 'embedded';
  await using killed = launchCommand(at, ['move', '--to', to]);
  if ((await killAfter(killed, new RegExp(label), delayMs)) === 0) return 'moved';
  await using source = launchServer(at, { env });
  const started = await source.waitForOutput(/listens on/).then(
    () => true,
    () => false,
  );
  if (started) {
    await source.kill('SIGTERM');
    return 'kept';
  }
  expect(source.output()).toMatch(/was moved to|belongs to/);
  // Where it was killed after its last step there is nothing to end.
  if (url !== null && !existsSync(`${at.dataDir}/pg`)) return 'moved';
  expect(await move(at, to)).toMatchObject({ code: 0 });
  return 'moved';
}
