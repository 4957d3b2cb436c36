import { existsSync } from 'node:fs';
import { expect } from 'vitest';
import { type DataLocation, launchServer } from '../../support/server-process.ts';
import { killAfter, launchCommand, runCommand } from './backup-commands.ts';
import { installationEnv as env } from './installation.ts';

/** The same data folder with another database, or with the embedded one. */
export const withDatabase = (
  { dataDir }: DataLocation,
  databaseUrl: string | null,
): DataLocation => ({
  dataDir,
  databaseUrl,
  remove: async () => undefined,
});

export const move = (at: DataLocation, to: string) => runCommand(at, ['move', '--to', to]);

/**
 * Kills a move to a database, or to the embedded one, so long after it has said where it is.
 * `kept`: the source can be started as before; `moved`: it cannot, and the next call ends it.
 */
export async function killAndRepeat(
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
