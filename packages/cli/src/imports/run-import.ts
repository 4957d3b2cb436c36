import { Readable } from 'node:stream';
import type { RedactionCounts } from '@mneme/contract/redaction';
import { type Client, type Import, isMnemeError } from '@mneme/sdk';
import type { CommandContext } from '../context.ts';
import { CliError } from '../errors.ts';
import { pluralize } from '../format.ts';
import { waitForJob } from '../wait-for-job.ts';
import { ArchiveSpool } from './archive-spool.ts';
import type { FormatOptions } from './formats/format.ts';
import { type ImportFormatName, importFormats } from './formats/index.ts';
import { deriveRecordId } from './record-ids.ts';
import { type ReadReport, RecordWriter } from './record-writer.ts';
import { openSource, type Source } from './source-files.ts';

export interface ImportOptions extends FormatOptions {
  /** Tells sources of a format with the same ids apart; null: by its name. */
  readonly source: string | null;
  /** A space by name or id. */
  readonly space: string | null;
  readonly userId: string | null;
  readonly isDryRun: boolean;
  readonly isQuiet: boolean;
}

interface SkipReport {
  readonly reason: string;
  readonly count: number;
  /** The first ones. */
  readonly places: readonly string[];
}

export interface ImportReport {
  readonly format: string;
  readonly source: string;
  readonly dry_run: boolean;
  /** Null: there was nothing to send. */
  readonly import_id: string | null;
  readonly read: ReadReport;
  readonly records: Import['records'];
  readonly skipped: readonly SkipReport[];
  readonly redacted: RedactionCounts;
}

/** The server checks the whole archive before it responds. */
const checkTimeoutMs = 3_600_000;

/**
 * Converts an export of another program to an archive, and imports it. What is wrong with a source
 * as a whole is thrown before anything is sent; what is wrong with an item is in the report.
 */
export async function runImport(
  context: CommandContext,
  format: ImportFormatName,
  path: string,
  options: ImportOptions,
): Promise<ImportReport> {
  const source = await openSource(path);
  try {
    const client = await context.client();
    const { limits } = await client.account.get();
    const name = options.source ?? (importFormats[format].hasLocalIds ? source.name : '');
    const target = {
      format,
      source: name,
      spaceId: options.space === null ? null : await findSpaceId(client, options.space),
      userId: options.userId,
      contentBytesMax: limits.content_bytes,
    };
    const spool = await ArchiveSpool.create(deriveRecordId([format]));
    try {
      const writer = new RecordWriter(target, spool);
      await readItems(context, source, { format, writer, options });
      const imported = await sendArchive(context, client, spool, { ...target, ...options });
      return {
        format,
        source: name,
        dry_run: options.isDryRun,
        import_id: imported?.id ?? null,
        read: writer.report,
        records: imported?.records ?? [],
        skipped: [...reportSkips(writer), ...(await reportServerSkips(spool, imported))],
        redacted: writer.redacted,
      };
    } finally {
      await spool.close();
    }
  } finally {
    source.close();
  }
}

/** Null: the account level. Throws CliError. */
async function findSpaceId(client: Client, space: string): Promise<string | null> {
  if (space === 'default') return null;
  for await (const { id, name } of client.spaces.list({}))
    if (name === space || id === space.toLowerCase()) return id;
  throw new CliError(
    'space_not_found',
    `There is no space ${space}: mneme spaces create adds one.`,
  );
}

async function readItems(
  context: CommandContext,
  source: Source,
  {
    format,
    writer,
    options,
  }: {
    readonly format: ImportFormatName;
    readonly writer: RecordWriter;
    readonly options: ImportOptions;
  },
): Promise<void> {
  const progress = context.progress();
  const total = source.files.reduce((sum, one) => sum + (one.type === 'file' ? one.bytes : 0), 0);
  let done = 0;
  const counting = async function* (bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of bytes) {
      yield chunk;
      done += chunk.length;
      if (options.isQuiet) continue;
      const { turns, memories } = writer.report;
      progress.update(
        Math.min(1, done / Math.max(1, total)),
        `read ${pluralize(turns + memories, 'text')}`,
      );
    }
  };
  const files = source.files.map((one) =>
    one.type === 'file' ? { ...one, open: () => counting(one.open()) } : one,
  );
  try {
    for await (const item of importFormats[format].read({ ...source, files }, options))
      await writer.add(item);
    await writer.finish();
  } finally {
    progress.end();
  }
}

interface SendOptions {
  readonly format: string;
  readonly spaceId: string | null;
  readonly isDryRun: boolean;
  readonly isQuiet: boolean;
}

/** Null if there is nothing to send. */
async function sendArchive(
  context: CommandContext,
  client: Client,
  spool: ArchiveSpool,
  options: SendOptions,
): Promise<Import | null> {
  if (spool.records === 0) return null;
  const { format, spaceId, isDryRun, isQuiet } = options;
  const query = {
    dry_run: isDryRun,
    ...(spaceId === null ? {} : { map_spaces: JSON.stringify({ default: spaceId }) }),
  };
  const waitFor = (id: string): Promise<Import> =>
    waitForJob(context, () => client.transfers.getImport({ params: { id } }), {
      label: labelOf,
      isQuiet,
    });
  for (;;) {
    const archive = await spool.archive(format, context.now());
    try {
      const body = Readable.toWeb(archive) as ReadableStream<Uint8Array>;
      const limits = { timeoutMs: checkTimeoutMs };
      const { import_id: id } = await client.transfers.import({ body, query }, limits);
      return await waitFor(id);
    } catch (error) {
      archive.destroy();
      // The server goes on with an import whose client was interrupted.
      const running = isMnemeError(error, 'conflict') ? error.details?.import_id : undefined;
      if (typeof running !== 'string') throw error;
      await waitFor(running);
    }
  }
}

const labelOf = ({ records }: Import): string => {
  const last = records.at(-1);
  return last ? `${last.kind}: ${last.created} created` : 'sent';
};

const reportSkips = ({ skips }: RecordWriter): SkipReport[] =>
  [...skips].map(([reason, { count, places }]) => ({ reason, count, places }));

/** What the server did not take, at the places of the source. */
async function reportServerSkips(
  spool: ArchiveSpool,
  imported: Import | null,
): Promise<SkipReport[]> {
  if (imported === null) return [];
  const { reasons, skipped } = imported;
  const places = await spool.findPlaces(new Set(skipped.map(({ id }) => id)));
  return reasons.map(({ kind, reason, count }) => ({
    reason,
    count,
    places: skipped
      .filter((one) => one.kind === kind && one.reason === reason)
      .flatMap(({ id }) => places.get(id) ?? []),
  }));
}
