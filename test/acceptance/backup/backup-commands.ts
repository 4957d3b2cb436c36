import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as wait } from 'node:timers/promises';
import type { Client } from '@mneme/sdk';
import {
  type DataLocation,
  type LaunchedProcess,
  launchServer,
  serverProgram,
} from '../../support/server-process.ts';

export const passphrase = 'four words for a test';
export const backupEnv = { MNEME_BACKUP_PASSPHRASE: passphrase };

/** The archive of GET /admin/backup as a file. */
export async function downloadBackup(client: Client, file: string): Promise<void> {
  const response = await client.admin.backup({}, { timeoutMs: 120_000 });
  if (response.body === null) throw new Error('The backup has no body');
  await pipeline(Readable.fromWeb(response.body as never), createWriteStream(file));
}

type Settings = Readonly<Record<string, string>>;

/** Starts a command of the server's program on a place. */
export const launchCommand = (
  place: DataLocation,
  parameters: readonly string[],
  settings: Settings = backupEnv,
): LaunchedProcess =>
  launchServer(place, { command: [...serverProgram, ...parameters], env: settings });

/** Runs one to its end; its exit code and output. */
export async function runCommand(
  place: DataLocation,
  parameters: readonly string[],
  settings: Settings = backupEnv,
): Promise<{ code: number | null; output: string }> {
  await using launched = launchCommand(place, parameters, settings);
  const { code } = await launched.ended;
  return { code, output: launched.output() };
}

export const runRestore = (
  place: DataLocation,
  file: string,
  settings: Settings = backupEnv,
  flags: readonly string[] = [],
) => runCommand(place, ['restore', file, ...flags], settings);

/** Kills a command so long after it has said something; its exit code where it was over before. */
export async function killAfter(
  command: LaunchedProcess,
  said: RegExp,
  delayMs: number,
): Promise<number | null> {
  await command.waitForOutput(said);
  await wait(delayMs);
  return (await command.kill('SIGKILL', 'group')).code;
}
