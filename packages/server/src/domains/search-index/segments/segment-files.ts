import { mkdir, readdir, rename, rm, stat, statfs } from 'node:fs/promises';
import path from 'node:path';
import { fsyncFolder } from '../../../kernel/fsync-folder.ts';
import { metrics } from '../../../kernel/metrics/metrics.ts';
import { perApp } from '../../../kernel/per-app.ts';
import type { App } from '../../ctx.ts';
import {
  deleteSegments,
  findUsableSegments,
  type SegmentRef,
  type SegmentRow,
} from '../store/segments.ts';
import type { SegmentLoad } from '../thread/protocol.ts';

const suffix = '.segment';
const temporarySuffix = '.segment.new';
const folderName = 'index-segments';
const mebibyte = 1_048_576;

/** The folder of the segments of this process; their names have the account and the segment. */
class SegmentFiles {
  readonly #app: App;
  readonly folder: string;

  constructor(app: App) {
    this.#app = app;
    this.folder = path.join(app.config.dataDir, folderName);
  }

  get isEnabled(): boolean {
    return this.#app.config.index.hasSegments;
  }

  fileOf({ accountId, id }: SegmentRef): string {
    return path.join(this.folder, `${accountId}.${id}${suffix}`);
  }

  /** The name of a file that is being written. */
  temporaryFileOf({ accountId, id }: SegmentRef): string {
    return path.join(this.folder, `${accountId}.${id}${temporarySuffix}`);
  }

  /** In bytes; 0 without the file. */
  async sizeOf(file: string): Promise<number> {
    const { size } = await stat(file).catch(() => ({ size: 0 }));
    return size;
  }

  async ensureFolder(): Promise<void> {
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
  }

  /** Of the disk, in bytes that other data leaves. */
  async freeBytes(): Promise<number> {
    const { bavail, bsize } = await statfs(this.folder);
    return bavail * bsize - this.#app.config.diskFreeMinMb * mebibyte;
  }

  /** Gives a written file its name. */
  async publish(segment: SegmentRef): Promise<void> {
    await rename(this.temporaryFileOf(segment), this.fileOf(segment));
    await fsyncFolder(this.folder);
  }

  /** The segments, and names that none can have or that are older than `before` and unfinished. */
  async list(before: Date): Promise<{ segments: SegmentRef[]; leftovers: string[] }> {
    const segments: SegmentRef[] = [];
    const leftovers: string[] = [];
    for (const name of await this.#names()) {
      const [, accountId, id, ending] = fileName.exec(name) ?? [];
      if (accountId && id && ending === suffix) segments.push({ accountId, id });
      else if (accountId && (await this.#isNewerThan(name, before))) continue;
      else leftovers.push(name);
    }
    return { segments, leftovers };
  }

  #names(): Promise<string[]> {
    return readdir(this.folder).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return [];
      throw error;
    });
  }

  async #isNewerThan(name: string, before: Date): Promise<boolean> {
    const { mtime } = await stat(path.join(this.folder, name)).catch(() => ({ mtime: null }));
    return mtime === null || mtime > before;
  }

  async removeNames(names: readonly string[]): Promise<void> {
    for (const name of names) await rm(path.join(this.folder, name), { force: true });
  }

  /** Of these segments of an account those whose files this process has. */
  async filterExisting(accountId: string, rows: readonly SegmentRow[]): Promise<SegmentRow[]> {
    const { segments } = await this.list(new Date(0));
    const ids = new Set(segments.filter((one) => one.accountId === accountId).map(({ id }) => id));
    return rows.filter(({ id }) => ids.has(id));
  }

  /** Ids of the files of an account, also of those that are still written. */
  async idsOf(account: string): Promise<string[]> {
    const ids = (await this.#names()).flatMap((name) => {
      const [, accountId, id] = fileName.exec(name) ?? [];
      return accountId === account && id ? [id] : [];
    });
    return [...new Set(ids)];
  }

  /** Deletes segments with their rows: first the rows, so that no process starts to read them. */
  async remove(segments: readonly SegmentRef[]): Promise<void> {
    await deleteSegments(this.#app.engine.db, segments);
    for (const segment of segments) await rm(this.fileOf(segment), { force: true });
  }

  /** Deletes the files of an account. */
  async removeAccount(accountId: string): Promise<void> {
    const { segments } = await this.list(new Date(0));
    await this.remove(segments.filter((segment) => segment.accountId === accountId));
  }

  /**
   * Loads the newest segment of an account that can be used; null if there is none. What cannot be
   * read is deleted.
   */
  async load(
    accountId: string,
    model: string,
    read: (id: string, file: string) => Promise<SegmentLoad>,
  ): Promise<SegmentRow | null> {
    if (!this.isEnabled) return null;
    for (const row of await findUsableSegments(this.#app.engine.db, accountId, model)) {
      const segment = { accountId, id: row.id };
      const load = await read(row.id, this.fileOf(segment));
      metrics.of(this.#app).count('mneme_index_segment_loads_total', { result: load.result });
      if (load.result === 'loaded') return row;
      if (load.result === 'dropped') return null;
      // Another process may have it.
      if (load.result === 'missing') continue;
      const { message: reason } = load;
      if (load.result === 'damaged') {
        this.#app.log.warn({ accountId, segment: row.id, reason }, 'index segment damaged');
      }
      await this.#removeUnusable(segment);
    }
    return null;
  }

  /** The search that finds the segment does without it, also where its file cannot be deleted. */
  async #removeUnusable(segment: SegmentRef): Promise<void> {
    try {
      await this.remove([segment]);
    } catch (error) {
      this.#app.log.warn({ err: error, segment: segment.id }, 'index segment not deleted');
    }
  }
}

const uuid = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
const fileName = new RegExp(`^(${uuid})\\.(${uuid})(\\.segment(?:\\.new)?)$`);

export const segmentFiles = perApp<App, SegmentFiles>((app) => new SegmentFiles(app));
