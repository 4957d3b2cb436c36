import { afterEach, describe, expect, it } from 'vitest';
import {
  describeInstallation,
  installationEnv as env,
  fillInstallation,
} from '../acceptance/backup/installation.ts';
import { killAndRepeat, move, withDatabase } from '../acceptance/backup/move-kills.ts';
import { createSeededRandom } from '../acceptance/durability/seeded-random.ts';
import {
  createDataLocation,
  type DataLocation,
  startServerProcess,
} from '../support/server-process.ts';
import { engines } from '../support/service.ts';

const rounds = Number(process.env.MNEME_TEST_ROUNDS ?? 20);
/** What a move says as it begins a step, and how long after it it is killed at the latest. */
const steps = [
  ['Verifying the copy', 1_500],
  ['Switching the data folder', 30],
  ['Copying the database', 1_500],
] as const;

const places: DataLocation[] = [];
afterEach(async () => {
  for (const place of places.splice(0)) await place.remove();
});

async function emptyDatabase(): Promise<string> {
  const place = await createDataLocation('PostgreSQL', { migrated: false });
  places.push(place);
  return place.databaseUrl ?? '';
}

describe.each(engines.filter((engine) => engine !== 'embedded'))('a move to %s', () => {
  it('or back that is killed leaves the source as it was, or is ended by the next', async () => {
    const seed = Number(process.env.MNEME_TEST_SEED ?? Date.now() % 1_000_000);
    const chance = createSeededRandom(seed);
    let at = await createDataLocation('embedded');
    places.push(at);
    const withServer = async <T>(
      run: (server: Awaited<ReturnType<typeof startServerProcess>>) => Promise<T>,
    ): Promise<T> => {
      await using server = await startServerProcess(at, { env });
      const result = await run(server);
      await server.kill('SIGTERM');
      return result;
    };
    const before = await withServer(async (server) => {
      await fillInstallation(server.client(), 'http://127.0.0.1:1/');
      return describeInstallation(server.client());
    });
    const outcomes: string[] = [];
    for (let i = 0; i < rounds; i += 1) {
      const [label, delayMsMax] = steps[Math.floor(i / 2) % steps.length] as (typeof steps)[number];
      const url = at.databaseUrl === null ? await emptyDatabase() : null;
      const outcome = await killAndRepeat(at, url, label, chance.fraction() * delayMsMax);
      outcomes.push(`${label}: ${outcome}`);
      if (outcome === 'moved') {
        at = withDatabase(at, url);
      } else {
        const again = url === null ? null : await emptyDatabase();
        expect(await move(at, again ?? 'embedded')).toMatchObject({ code: 0 });
        at = withDatabase(at, again);
      }
      await withServer(async (server) => {
        expect(await describeInstallation(server.client())).toEqual(before);
      });
    }
    process.stdout.write(`killed moves, seed ${seed}: ${JSON.stringify(outcomes)}\n`);
  });
});
