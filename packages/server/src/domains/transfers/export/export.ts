import {
  type ArchiveKind,
  type ArchiveManifest,
  archiveFormat,
  archiveFormatVersion,
  archiveKinds,
  archiveManifest,
} from '@mneme/contract';
import { type Db, runInSnapshot } from '../../../database/index.ts';
import { generateExport } from '../../../providers/archive/index.ts';
import { isBlobNotFound } from '../../../providers/blobs/index.ts';
import type { App } from '../../ctx.ts';
import { fileEntryName, kindsAfterFiles, kindsBeforeFiles, recordsEntryName } from '../layout.ts';
import { readAccountPosition } from '../store/positions.ts';
import { type ExportScope, readRecordPage, recordQueries } from '../store/record-queries.ts';
import { readSpooled, Spool, type SpooledRecords } from './spool.ts';

/** An account to export, with the kinds of records that the caller may read. */
export interface ExportedAccount {
  readonly name: string;
  readonly plan: string;
  readonly scope: ExportScope;
  readonly kinds: ReadonlySet<ArchiveKind>;
}

interface StoredFile {
  readonly blob: string;
  readonly bytes: number;
}

interface SpooledAccount {
  readonly account: ExportedAccount;
  readonly records: ReadonlyMap<ArchiveKind, SpooledRecords>;
}

/**
 * The bytes of an export of these accounts. The records of each account are consistent: read in one
 * snapshot, and only then sent. A file that is erased meanwhile is left out. Throws the errors of
 * the database and the blob store; the bytes so far are then an incomplete archive.
 */
export async function* createExport(
  app: App,
  accounts: AsyncIterable<ExportedAccount>,
): AsyncGenerator<Uint8Array> {
  await using spool = await Spool.create(app);
  const files = new Map<string, StoredFile>();
  const spooled: SpooledAccount[] = [];
  for await (const account of accounts)
    spooled.push({ account, records: await spoolConsistently(app, spool, account, files) });
  const createdAt = app.clock.now();
  yield* generateExport({
    createdAt,
    manifest: formatManifest(app, createdAt, spooled, files),
    entries: (async function* () {
      yield* recordEntries(spooled, kindsBeforeFiles);
      yield* fileEntries(app, files);
      yield* recordEntries(spooled, kindsAfterFiles);
    })(),
  });
}

/** Attempts beside other statements of the embedded database, which has one connection. */
const attemptsMax = 2;

/**
 * A server has a snapshot that hinders nobody. On the embedded database a snapshot blocks all other
 * statements, so pages are read between them; if the account has changed meanwhile, again, and at
 * last in a snapshot.
 */
async function spoolConsistently(
  app: App,
  spool: Spool,
  account: ExportedAccount,
  files: Map<string, StoredFile>,
): Promise<ReadonlyMap<ArchiveKind, SpooledRecords>> {
  const { engine } = app;
  const { accountId } = account.scope;
  if (engine.kind === 'embedded') {
    for (let attempt = 1; attempt <= attemptsMax; attempt += 1) {
      const before = await readAccountPosition(engine.db, accountId);
      const found = new Map<string, StoredFile>();
      const records = await spoolAccount(engine.db, spool, account, found);
      if ((await readAccountPosition(engine.db, accountId)) !== before) continue;
      for (const [name, file] of found) files.set(name, file);
      return records;
    }
  }
  return runInSnapshot(engine, (tx) => spoolAccount(tx, spool, account, files));
}

async function spoolAccount(
  db: Db,
  spool: Spool,
  { scope, kinds }: ExportedAccount,
  files: Map<string, StoredFile>,
): Promise<ReadonlyMap<ArchiveKind, SpooledRecords>> {
  const records = new Map<ArchiveKind, SpooledRecords>();
  for (const kind of archiveKinds) {
    if (!kinds.has(kind)) continue;
    const rows = readRecords(db, kind, scope, files);
    records.set(kind, await spool.write(kind, rows));
  }
  return records;
}

/** Memories and transcripts may have a megabyte each; the others are short. */
const pageRows = 1_000;
const largePageRows = 100;
const largeKinds: ReadonlySet<ArchiveKind> = new Set(['memories', 'transcripts']);

async function* readRecords(
  db: Db,
  kind: ArchiveKind,
  scope: ExportScope,
  files: Map<string, StoredFile>,
): AsyncGenerator<readonly object[]> {
  const internal = new Set(recordQueries[kind].internal);
  const limit = largeKinds.has(kind) ? largePageRows : pageRows;
  for (let last: Readonly<Record<string, unknown>> | null = null; ; ) {
    const rows = await readRecordPage(db, kind, scope, last, limit);
    if (kind === 'media') {
      for (const { sha256, blob, bytes } of rows)
        files.set(String(sha256), { blob: String(blob), bytes: Number(bytes) });
    }
    yield rows.map((row) =>
      Object.fromEntries(
        Object.entries(kind === 'memories' ? withoutHiddenSession(row) : row).filter(
          ([name]) => !internal.has(name),
        ),
      ),
    );
    last = rows.at(-1) ?? null;
    if (rows.length < limit) return;
  }
}

const withoutHiddenSession = (row: Readonly<Record<string, unknown>>) =>
  row.has_session ? row : { ...row, session_id: null, session_ordinal: null };

function formatManifest(
  { version }: Pick<App, 'version'>,
  createdAt: Date,
  spooled: readonly SpooledAccount[],
  files: ReadonlyMap<string, StoredFile>,
): Uint8Array {
  const [first] = spooled;
  const manifest: ArchiveManifest = archiveManifest.parse({
    format: archiveFormat,
    format_version: archiveFormatVersion,
    program_version: version,
    created_at: createdAt.toISOString(),
    scope: {
      spaces: first?.account.scope.spaces ?? null,
      user_id: first?.account.scope.user ?? null,
    },
    accounts: spooled.map(({ account: { name, plan, scope }, records }) => ({
      id: scope.accountId,
      name,
      plan,
      records: Object.fromEntries([...records].map(([kind, { lines }]) => [kind, lines])),
    })),
    files: {
      count: files.size,
      bytes: [...files.values()].reduce((sum, { bytes }) => sum + bytes, 0),
    },
  });
  return Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`);
}

async function* recordEntries(spooled: readonly SpooledAccount[], kinds: readonly ArchiveKind[]) {
  for (const { account, records } of spooled) {
    for (const kind of kinds) {
      const file = records.get(kind);
      if (file === undefined || file.lines === 0) continue;
      const name = recordsEntryName(account.scope.accountId, kind);
      yield { name, size: file.bytes, content: readSpooled(file), isCompressed: true };
    }
  }
}

/** Media are compressed already. */
async function* fileEntries({ blobs }: App, files: ReadonlyMap<string, StoredFile>) {
  for (const [sha256, { blob }] of files) {
    const size = await blobs.size(blob);
    if (size === null) continue;
    const content = await openIfPresent(blobs.read(blob));
    if (content === null) continue;
    yield { name: fileEntryName(sha256), size, content, isCompressed: false };
  }
}

/** Reads the first chunk; null if the file is gone. */
async function openIfPresent(
  bytes: AsyncIterable<Uint8Array>,
): Promise<AsyncIterable<Uint8Array> | null> {
  const chunks = bytes[Symbol.asyncIterator]();
  try {
    const first = await chunks.next();
    return (async function* () {
      try {
        for (let step = first; !step.done; step = await chunks.next()) yield step.value;
      } finally {
        await chunks.return?.();
      }
    })();
  } catch (error) {
    if (isBlobNotFound(error)) return null;
    throw error;
  }
}
