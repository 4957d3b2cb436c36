import { lstat, readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Clock } from '../../kernel/clock.ts';
import { readFileIfExists, writePrivateFile } from '../../kernel/private-file.ts';
import type { App } from '../ctx.ts';
import { AdminKeyNotReset, resetAdminKey } from './reset-admin.ts';

/**
 * The embedded database is locked by the server that runs, so the command leaves a request in the
 * data folder and the server leaves an answer: only its own user may write there. The key itself
 * is read from the file that the answer names.
 */
const requestName = 'reset-admin.request';
const answerName = (id: string): string => `reset-admin.${id}.answer`;
const idPattern = /^[0-9a-f]{32}$/;
const pollMs = 500;
const timeoutMs = 15_000;

interface ResetResponse {
  readonly file?: string;
  readonly error?: string;
}

/** Looks for requests until it is disposed. */
export function pollResetRequests(app: App): Disposable {
  let stopped = false;
  let timer: Disposable | null = null;
  const look = async (): Promise<void> => {
    await handleResetRequest(app).catch((error: unknown) =>
      app.log.error({ err: error }, 'a request to reset the admin key was not answered'),
    );
    if (!stopped) timer = app.clock.after(pollMs, () => void look());
  };
  timer = app.clock.after(pollMs, () => void look());
  return {
    [Symbol.dispose]: () => {
      stopped = true;
      timer?.[Symbol.dispose]();
    },
  };
}

async function handleResetRequest(app: App): Promise<void> {
  const { dataDir } = app.config;
  const request = path.join(dataDir, requestName);
  const found = await lstat(request).catch(() => null);
  if (found === null) return;
  const id = found.isFile() && isTrusted(found.uid) ? await readFileIfExists(request) : null;
  await rm(request, { force: true, recursive: true });
  if (id === null || !idPattern.test(id)) {
    app.log.warn({ file: request }, 'a request to reset the admin key was ignored: not ours');
    return;
  }
  for (const name of await readdir(dataDir)) {
    if (/^reset-admin\..+\.answer$/.test(name)) await rm(path.join(dataDir, name), { force: true });
  }
  const answered = await resetAdminKey(app).then(
    ({ file }): ResetResponse => ({ file }),
    (error: Error): ResetResponse => {
      if (!(error instanceof AdminKeyNotReset)) app.log.error({ err: error }, 'reset failed');
      return { error: error.message };
    },
  );
  await writePrivateFile(path.join(dataDir, answerName(id)), JSON.stringify(answered));
}

/** The server's own user, or root. */
const isTrusted = (uid: number): boolean =>
  process.getuid === undefined || uid === 0 || uid === process.getuid();

/**
 * Asks the server that runs on the folder for a new admin key; returns the file that holds it.
 * Throws AdminKeyNotReset where it refuses or does not answer.
 */
export async function requestAdminKeyReset(
  dataDir: string,
  { clock, id }: { clock: Clock; id: string },
): Promise<string> {
  const request = path.join(dataDir, requestName);
  const answer = path.join(dataDir, answerName(id));
  await writePrivateFile(request, id);
  const untilMs = clock.monotonicMs() + timeoutMs;
  while (clock.monotonicMs() < untilMs) {
    const text = await readFileIfExists(answer);
    if (text === null) {
      await new Promise<void>((resolve) => void setTimeout(resolve, pollMs / 5));
      continue;
    }
    await rm(answer, { force: true });
    const { file, error } = JSON.parse(text) as ResetResponse;
    if (file !== undefined) return file;
    throw new AdminKeyNotReset(error ?? 'The server gave no reason.');
  }
  await rm(request, { force: true });
  throw new AdminKeyNotReset(
    `Another process uses the data folder ${dataDir} and did not answer within ` +
      `${timeoutMs / 1_000} s: stop the server and run the command again.`,
  );
}
