import { lstat, readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Clock } from '../../kernel/clock.ts';
import { Poller } from '../../kernel/poller.ts';
import { readFileIfExists, writePrivateFile } from '../../kernel/private-file.ts';
import type { App } from '../ctx.ts';
import { AdminKeyNotReset, resetAdminKey } from './reset-admin.ts';

/**
 * A running server locks the embedded database, so the command writes a request to the data folder
 * and the server writes a response: only its own user may write there. The response names the
 * file that contains the key.
 */
const requestName = 'reset-admin.request';
const responseName = (id: string): string => `reset-admin.${id}.answer`;
const idPattern = /^[0-9a-f]{32}$/;
const pollMs = 500;
const timeoutMs = 15_000;

interface ResetResponse {
  readonly file?: string;
  readonly error?: string;
}

/** Polls for requests until disposed. */
export function pollAdminKeyResetRequests(app: App): AsyncDisposable {
  const poller = new Poller(app.clock, {
    intervalMs: pollMs,
    poll: () =>
      handleResetRequest(app).catch((error: unknown) =>
        app.log.error({ err: error }, 'admin key reset request failed'),
      ),
  });
  poller.start();
  return { [Symbol.asyncDispose]: () => poller.stop() };
}

async function handleResetRequest(app: App): Promise<void> {
  const { dataDir } = app.config;
  const request = path.join(dataDir, requestName);
  const stats = await lstat(request).catch(() => null);
  if (stats === null) return;
  const id = stats.isFile() && isTrusted(stats.uid) ? await readFileIfExists(request) : null;
  await rm(request, { force: true, recursive: true });
  if (id === null || !idPattern.test(id)) {
    app.log.warn({ file: request }, 'admin key reset request ignored: wrong owner or format');
    return;
  }
  for (const name of await readdir(dataDir)) {
    if (/^reset-admin\..+\.answer$/.test(name)) await rm(path.join(dataDir, name), { force: true });
  }
  const response = await resetAdminKey(app).then(
    ({ file }): ResetResponse => ({ file }),
    (error: Error): ResetResponse => {
      if (!(error instanceof AdminKeyNotReset))
        app.log.error({ err: error }, 'admin key reset failed');
      return { error: error.message };
    },
  );
  await writePrivateFile(path.join(dataDir, responseName(id)), JSON.stringify(response));
}

/** The server's own user, or root. */
const isTrusted = (uid: number): boolean =>
  process.getuid === undefined || uid === 0 || uid === process.getuid();

/**
 * Requests a new admin key from the server that uses the folder; returns the file that holds it.
 * Throws AdminKeyNotReset if the server refuses or does not respond.
 */
export async function requestAdminKeyReset(
  dataDir: string,
  { clock, id }: { clock: Clock; id: string },
): Promise<string> {
  const request = path.join(dataDir, requestName);
  const responseFile = path.join(dataDir, responseName(id));
  await writePrivateFile(request, id);
  const deadlineMs = clock.monotonicMs() + timeoutMs;
  while (clock.monotonicMs() < deadlineMs) {
    const text = await readFileIfExists(responseFile);
    if (text === null) {
      await new Promise<void>((resolve) => void setTimeout(resolve, pollMs / 5));
      continue;
    }
    await rm(responseFile, { force: true });
    const { file, error } = JSON.parse(text) as ResetResponse;
    if (file !== undefined) return file;
    throw new AdminKeyNotReset(error ?? 'The server reported no reason.');
  }
  await rm(request, { force: true });
  throw new AdminKeyNotReset(
    `Another process uses the data folder ${dataDir} and did not respond within ` +
      `${timeoutMs / 1_000} s: stop the server and run the command again.`,
  );
}
