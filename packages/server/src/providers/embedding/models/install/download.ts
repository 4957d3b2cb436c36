import { type FileHandle, mkdir, open, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { hashFile, type InstalledFile } from '../installed-models.ts';
import { ModelNotInstalled, toModelNotInstalled } from './errors.ts';
import {
  type HubDeps,
  type HubFile,
  requestHub,
  retryTransient,
  TransientHubError,
} from './hub.ts';

interface Download {
  readonly repository: string;
  readonly revision: string;
  readonly file: HubFile;
  /** The checksum that the file must have; null: any. */
  readonly sha256: string | null;
  readonly folder: string;
  onProgress(bytes: number): void;
}

/**
 * Downloads a file of the hub into a folder. The bytes go to `<name>.partial`; an interrupted
 * download continues there, also in a later process. The checksum of the whole file is compared
 * before it gets its name.
 * @throws ModelNotInstalled if the hub or the disk fails, or the bytes are wrong twice
 */
export async function downloadFile(deps: HubDeps, download: Download): Promise<InstalledFile> {
  const { file, folder, sha256: expected } = download;
  const target = path.join(folder, file.path);
  const partial = `${target}.partial`;
  await mkdir(path.dirname(target), { recursive: true, mode: 0o700 });
  const existing = await sizeOf(target);
  if (existing === null) {
    for (let isRepeated = false; ; isRepeated = true) {
      await transfer(deps, download, partial);
      const actual = await hashFile(partial);
      if (expected === null || actual === expected) break;
      await rm(partial, { force: true });
      if (!isRepeated) continue;
      throw new ModelNotInstalled(
        `${deps.hub} sent other bytes for ${file.path} than expected: its SHA-256 is ${actual}, ` +
          `not ${expected}. Nothing was installed.`,
      );
    }
    await rename(partial, target);
  }
  const bytes = (await sizeOf(target)) ?? 0;
  return { path: file.path, bytes, sha256: await hashFile(target) };
}

/** Continues until the partial file is complete. */
async function transfer(deps: HubDeps, download: Download, partial: string): Promise<void> {
  await using handle = await open(partial, 'a+', 0o600).catch((error: unknown) => {
    throw toModelNotInstalled(partial, error);
  });
  let bytes = (await handle.stat()).size;
  const { bytes: total } = download.file;
  // A partial file that is too long belongs to another file.
  if (total !== null && bytes > total) {
    await handle.truncate(0);
    bytes = 0;
  }
  await retryTransient(
    deps,
    async () => {
      bytes = (await handle.stat()).size;
      if (total !== null && bytes === total) return;
      await receive(deps, download, handle, (count) => {
        bytes = count;
        download.onProgress(count);
      });
    },
    () => bytes,
  );
  await handle.sync();
}

async function receive(
  deps: HubDeps,
  { repository, revision, file }: Download,
  handle: FileHandle,
  onProgress: (bytes: number) => void,
): Promise<void> {
  const start = (await handle.stat()).size;
  const what = `${file.path} of ${repository}`;
  const idle = new AbortController();
  const headers: Record<string, string> = start > 0 ? { range: `bytes=${start}-` } : {};
  const timer = new IdleTimer(deps.idleMs, () => idle.abort());
  try {
    const address = `/${repository}/resolve/${revision}/${file.path}`;
    const response = await requestHub(deps, address, what, { headers, signal: idle.signal });
    const from = startOf(response);
    // A hub that ignores the range, or does not have it, sends the file from its start.
    if (from !== start) await handle.truncate(0);
    if (response.status === 416 || (from !== start && from !== 0)) {
      await response.body?.cancel();
      throw new TransientHubError(`${deps.hub} did not continue ${what}`, { pauseMs: 0 });
    }
    let bytes = from;
    for await (const chunk of response.body ?? []) {
      timer.restart();
      bytes += chunk.byteLength;
      if (file.bytes !== null && bytes > file.bytes) {
        await handle.truncate(0);
        throw new TransientHubError(`${deps.hub} sent too many bytes for ${what}`);
      }
      await append(handle, chunk);
      onProgress(bytes);
    }
    if (file.bytes !== null && bytes < file.bytes) throw new Error('the response is incomplete');
  } catch (error) {
    if (error instanceof TransientHubError || error instanceof ModelNotInstalled) throw error;
    const converted = toModelNotInstalled(file.path, error);
    if (converted instanceof ModelNotInstalled) throw converted;
    throw new TransientHubError(`the download of ${what} was interrupted`, { cause: error });
  } finally {
    timer.stop();
  }
}

/** The position of the first byte of a response. */
function startOf(response: Response): number {
  if (response.status !== 206) return 0;
  const [, start] = /^bytes (\d+)-/.exec(response.headers.get('content-range') ?? '') ?? [];
  return Number(start ?? 0);
}

async function append(handle: FileHandle, chunk: Uint8Array): Promise<void> {
  for (let at = 0; at < chunk.length; ) {
    const { bytesWritten } = await handle.write(chunk, at, chunk.length - at);
    at += bytesWritten;
  }
}

const sizeOf = async (file: string): Promise<number | null> =>
  stat(file).then(
    ({ size }) => size,
    () => null,
  );

/** Calls back if it is not restarted in time. */
class IdleTimer {
  readonly #ms: number;
  readonly #onIdle: () => void;
  #timer: NodeJS.Timeout;

  constructor(ms: number, onIdle: () => void) {
    this.#ms = ms;
    this.#onIdle = onIdle;
    this.#timer = setTimeout(onIdle, ms);
  }

  restart(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(this.#onIdle, this.#ms);
  }

  stop(): void {
    clearTimeout(this.#timer);
  }
}
