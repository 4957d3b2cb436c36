import { createHash } from 'node:crypto';
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import {
  type ArchiveKind,
  archiveFormat,
  archiveFormatVersion,
  type archiveRecords,
} from '@mneme/contract';
import { pack } from 'tar-stream';
import type { z } from 'zod';

/** A record as it is in an archive. */
export type ArchiveInput<K extends ArchiveKind> = z.input<(typeof archiveRecords)[K]>;

/** The kinds that imports write, in the order of an archive. */
const kinds = [
  'sessions',
  'memories',
  'relationships',
  'entities',
  'mentions',
  'assertions',
] as const satisfies readonly ArchiveKind[];
export type ImportedKind = (typeof kinds)[number];

const bufferedCharacters = 256 * 1024;

/** A temporary file, first written and then read. It has no name and ends with the process. */
class SpoolFile {
  readonly #handle: fs.FileHandle;
  readonly #hash = createHash('sha256');
  #buffer = '';
  bytes = 0;
  lines = 0;

  constructor(handle: fs.FileHandle) {
    this.#handle = handle;
  }

  async add(line: string): Promise<void> {
    this.#buffer += `${line}\n`;
    this.lines += 1;
    if (this.#buffer.length >= bufferedCharacters) await this.flush();
  }

  async flush(): Promise<void> {
    const bytes = Buffer.from(this.#buffer);
    this.#buffer = '';
    this.#hash.update(bytes);
    this.bytes += bytes.length;
    await this.#handle.writeFile(bytes);
  }

  /** Of what was written so far. */
  digest(): string {
    return this.#hash.copy().digest('hex');
  }

  read(): Readable {
    return this.#handle.createReadStream({ start: 0, autoClose: false });
  }

  readLines(): AsyncIterable<string> {
    return this.#handle.readLines({ start: 0, autoClose: false });
  }

  close(): Promise<void> {
    return this.#handle.close();
  }
}

/** Records of an import in temporary files, since an archive needs their sizes before them. */
export class ArchiveSpool {
  readonly #accountId: string;
  readonly #files: ReadonlyMap<ImportedKind, SpoolFile>;
  /** For each record its id and where it is in the source. */
  readonly #places: SpoolFile;

  private constructor(accountId: string, files: readonly SpoolFile[]) {
    this.#accountId = accountId;
    const [places, ...others] = files;
    if (places === undefined) throw new Error('a spool has a file for places');
    this.#places = places;
    this.#files = new Map(others.flatMap((file, i) => (kinds[i] ? [[kinds[i], file]] : [])));
  }

  /** @param accountId the account that the archive says it is of */
  static async create(accountId: string): Promise<ArchiveSpool> {
    const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'mneme-import-'));
    try {
      const names = ['places', ...kinds];
      const open = (name: string) => fs.open(path.join(folder, name), 'wx+', 0o600);
      const handles = await Promise.all(names.map(open));
      return new ArchiveSpool(
        accountId,
        handles.map((handle) => new SpoolFile(handle)),
      );
    } finally {
      await fs.rm(folder, { recursive: true });
    }
  }

  get records(): number {
    return [...this.#files.values()].reduce((sum, { lines }) => sum + lines, 0);
  }

  async add<K extends ImportedKind>(
    kind: K,
    record: ArchiveInput<K>,
    place: string | null = null,
  ): Promise<void> {
    await this.#files.get(kind)?.add(JSON.stringify(record));
    if (place !== null && 'id' in record)
      await this.#places.add(`${record.id} ${place.replaceAll(/[\r\n]/g, ' ')}`);
  }

  /** The places of records by their ids. */
  async findPlaces(ids: ReadonlySet<string>): Promise<Map<string, string>> {
    const found = new Map<string, string>();
    if (ids.size === 0) return found;
    for await (const line of this.#places.readLines()) {
      const id = line.slice(0, line.indexOf(' '));
      if (ids.has(id)) found.set(id, line.slice(id.length + 1));
    }
    return found;
  }

  /** The bytes of an archive, as `mneme export` writes it. */
  async archive(source: string, now: Date): Promise<Readable> {
    for (const file of [this.#places, ...this.#files.values()]) await file.flush();
    const tar = pack();
    const gzip = createGzip({ level: 3 });
    const written = this.#write(tar, source, now);
    written.catch((error: Error) => tar.destroy(error));
    // A reader gets the error of the pipeline from the stream.
    pipeline(Readable.from(tar), gzip).catch(() => undefined);
    return gzip;
  }

  async #write(tar: ReturnType<typeof pack>, source: string, mtime: Date): Promise<void> {
    const checksums: { name: string; size: number; sha256: string }[] = [];
    const addBytes = (name: string, value: unknown): void => {
      const bytes = Buffer.from(`${JSON.stringify(value)}\n`);
      tar.entry({ name, mtime }, bytes);
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      checksums.push({ name, size: bytes.length, sha256 });
    };
    const used = [...this.#files].filter(([, { lines }]) => lines > 0);
    addBytes('manifest.json', {
      format: archiveFormat,
      format_version: archiveFormatVersion,
      program_version: `import of ${source}`,
      created_at: mtime.toISOString(),
      scope: { spaces: null, user_id: null },
      accounts: [
        {
          id: this.#accountId,
          name: source,
          plan: 'free',
          records: Object.fromEntries(used.map(([kind, { lines }]) => [kind, lines])),
        },
      ],
      files: { count: 0, bytes: 0 },
    });
    for (const [kind, file] of used) {
      const name = `accounts/${this.#accountId}/${kind}.ndjson`;
      await pipeline(file.read(), tar.entry({ name, mtime, size: file.bytes }));
      checksums.push({ name, size: file.bytes, sha256: file.digest() });
    }
    addBytes('checksums.json', { entries: checksums, count: checksums.length });
    tar.finalize();
  }

  async close(): Promise<void> {
    for (const file of [this.#places, ...this.#files.values()]) await file.close();
  }
}
