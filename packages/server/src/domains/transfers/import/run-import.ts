import type { ArchiveKind, ArchiveRecord } from '@mneme/contract';
import { throttleBackgroundWork } from '../../../jobs/background-throttle.ts';
import { enqueueJob } from '../../../jobs/job-queue.ts';
import {
  type JobResult,
  NonRetryableJobError,
  type RunningJob,
  requeueResult,
} from '../../../jobs/job-worker.ts';
import { type ArchiveEntry, readExport } from '../../../providers/archive/index.ts';
import { findAccountActor } from '../../accounts/index.ts';
import { scheduleBlobRemoval } from '../../blobs/index.ts';
import { type App, allSpaces, type Ctx, type TxCtx, withTransaction } from '../../ctx.ts';
import { importRecording } from '../../media/index.ts';
import { parseEntryName } from '../layout.ts';
import { AccountImport } from './account-import.ts';
import { extractImportedKind, extractPerJob } from './extract-imported.ts';
import type { BatchOptions, RecordOutcome } from './import-scope.ts';
import {
  addOutcomes,
  type ImportPayload,
  type ImportState,
  presentReport,
} from './import-state.ts';
import { readArchiveRecords, recordKeyOf } from './read-lines.ts';

export const importKind = 'transfers.import';

const batchRecords = 100;
/** As of other writes: more would block other accounts on the embedded engine for too long. */
const batchCharactersMax = 49_152;
const renewMs = 20_000;

/**
 * Job: imports a verified archive in small transactions. Each stores how far it has come, so that a
 * run that was interrupted continues there; what precedes is read again, and not written.
 */
export async function runImport(
  app: App,
  job: RunningJob,
): Promise<JobResult | typeof requeueResult> {
  return new ImportRun(app, job).run();
}

type PendingRecording = { readonly account: AccountImport; readonly media: ArchiveRecord<'media'> };

class ImportRun {
  readonly #app: App;
  readonly #job: RunningJob;
  readonly #payload: ImportPayload;
  #state: ImportState;
  readonly #accounts = new Map<string, AccountImport>();
  /** Recordings whose files come later in the archive, by checksum. */
  readonly #recordings = new Map<string, PendingRecording[]>();
  /** The position of the reader. */
  #entry = 0;
  #line = 0;

  constructor(app: App, job: RunningJob) {
    this.#app = app;
    this.#job = job;
    this.#payload = job.payload as unknown as ImportPayload;
    this.#state = this.#payload.state;
  }

  get #isDryRun(): boolean {
    return this.#payload.request.dry_run;
  }

  async run(): Promise<JobResult | typeof requeueResult> {
    const { blobs } = this.#app;
    await this.#openAccounts();
    for await (const entry of readExport(blobs.read(this.#payload.blob))) {
      const content = parseEntryName(entry.name);
      if (content !== null) {
        this.#entry += 1;
        this.#line = 0;
        if (content.type === 'file') await this.#importFile(content.sha256, entry);
        else await this.#importEntry(entry.name, content, entry.content);
      }
      if (this.#job.stopSignal.aborted) return requeueResult;
    }
    await this.#reportMissingFiles();
    return this.#finish();
  }

  async #openAccounts(): Promise<void> {
    const { keyId, request, accounts } = this.#payload;
    for (const [source, target] of accounts) {
      const found = await findAccountActor(this.#app.engine.db, target);
      if (found === null) throw new NonRetryableJobError(`The account ${target} was deleted.`);
      const ctx: Ctx = { ...this.#app, actor: found.actor, requestId: 'system' };
      const job = { id: this.#job.id, keyId, request };
      this.#accounts.set(source, new AccountImport(ctx, source, job));
    }
  }

  /** What an earlier run has stored is only looked up, to know under which ids. */
  get #isReplayed(): boolean {
    const { entry, line } = this.#state;
    return this.#entry < entry || (this.#entry === entry && this.#line <= line);
  }

  async #importEntry(
    name: string,
    { accountId, kind }: { readonly accountId: string; readonly kind: ArchiveKind },
    content: AsyncIterable<Uint8Array>,
  ): Promise<void> {
    const account = this.#accounts.get(accountId);
    if (account === undefined) return;
    let batch: ArchiveRecord<typeof kind>[] = [];
    const keys = new Set<string>();
    let characters = 0;
    const flush = async (): Promise<void> => {
      if (batch.length === 0) return;
      const records = batch;
      batch = [];
      keys.clear();
      characters = 0;
      await this.#importBatch(account, kind, records);
    };
    for await (const record of readArchiveRecords(name, kind, content)) {
      if (this.#job.stopSignal.aborted) return;
      const size = 'content' in record ? record.content.length : 0;
      // The end of an earlier run is the end of a batch.
      const isBoundary = this.#entry === this.#state.entry && this.#line === this.#state.line;
      const isFull = batch.length === batchRecords || characters + size > batchCharactersMax;
      const key = recordKeyOf(record);
      // A record that the archive has twice finds the first one stored.
      if (isBoundary || isFull || keys.has(key)) await flush();
      batch.push(record);
      keys.add(key);
      characters += size;
      this.#line += 1;
    }
    await flush();
    if (kind === 'entities' && !this.#job.stopSignal.aborted) {
      await account.finishEntities(() => {
        this.#line += 1;
        return this.#batchOptions(account, kind);
      });
    }
  }

  async #importBatch<K extends ArchiveKind>(
    account: AccountImport,
    kind: K,
    records: readonly ArchiveRecord<K>[],
  ): Promise<void> {
    const { clock } = this.#app;
    const startedMs = clock.monotonicMs();
    if (kind === 'media') {
      await this.#collectRecordings(account, records as readonly ArchiveRecord<'media'>[]);
      return;
    }
    const options = this.#batchOptions(account, kind, records);
    await account.import(kind, records, options);
    const tookMs = clock.monotonicMs() - startedMs;
    await throttleBackgroundWork(this.#app, 'import', tookMs, this.#job.stopSignal);
  }

  #batchOptions<K extends ArchiveKind>(
    { ctx }: AccountImport,
    kind: K,
    records: readonly ArchiveRecord<K>[] = [],
  ): BatchOptions {
    if (this.#isReplayed) {
      const share = this.#share(this.#state);
      return {
        isDryRun: true,
        save: ({ tx }) => this.#job.saveProgress(share, undefined, tx),
      };
    }
    return {
      isDryRun: this.#isDryRun,
      save: async (inTx, outcomes) => {
        const next = this.#withOutcomes(ctx, kind, outcomes);
        await this.#save(inTx, next);
        if (this.#isDryRun) return;
        this.#publishBatch(inTx, kind, outcomes);
        if (kind === 'memories')
          await this.#queueExtraction(
            inTx,
            records as readonly ArchiveRecord<'memories'>[],
            outcomes,
          );
      },
    };
  }

  #withOutcomes(
    { actor }: Ctx,
    kind: ArchiveKind,
    outcomes: readonly RecordOutcome[],
  ): ImportState {
    const added = addOutcomes(this.#state, kind, outcomes);
    const isChanged = ({ outcome }: RecordOutcome) => kind === 'memories' && outcome === 'updated';
    const changed = outcomes.filter(isChanged).map(({ id }) => [actor.accountId, id] as const);
    return {
      ...added,
      entry: this.#entry,
      line: this.#line,
      done: this.#state.done + outcomes.length,
      changed: [...this.#state.changed, ...changed],
    };
  }

  /** In the transaction of the batch. A transaction may run again: the state counts at its end. */
  async #save(inTx: TxCtx, next: ImportState): Promise<void> {
    const payload = { ...this.#payload, state: next };
    await this.#job.saveProgress(this.#share(next), payload, inTx.tx);
    inTx.journal.afterCommit(() => {
      this.#state = next;
    });
  }

  #share({ done }: ImportState): number {
    return Math.min(0.99, done / Math.max(1, this.#payload.total));
  }

  #publishBatch(
    { journal, actor }: TxCtx,
    kind: ArchiveKind,
    outcomes: readonly RecordOutcome[],
  ): void {
    const countOf = (wanted: string) => outcomes.filter(({ outcome }) => outcome === wanted).length;
    const data = { import_id: this.#job.id, kind, created: countOf('created') };
    const updated = countOf('updated');
    if (data.created + updated === 0) return;
    const event = { type: 'import.batch_stored' as const, data: { ...data, updated } };
    // An import concerns the whole account.
    const place = { spaceId: null, secondSpaceId: allSpaces };
    journal.addEvent({ accountId: actor.accountId, ...place, ...event });
  }

  /** Memories of which the archive does not say what they mention. */
  async #queueExtraction(
    { tx, actor, ids, clock }: TxCtx,
    records: readonly ArchiveRecord<'memories'>[],
    outcomes: readonly RecordOutcome[],
  ): Promise<void> {
    const account = [...this.#accounts.values()].find(({ ctx }) => ctx.actor === actor);
    const memoryIds = records.flatMap(({ id, has_statements, deleted_at }, i) => {
      const isNew = outcomes[i]?.outcome === 'created';
      return isNew && !has_statements && deleted_at === null
        ? (account?.ownMemoryId(id) ?? [])
        : [];
    });
    if (memoryIds.length === 0) return;
    const job = { id: ids.uuid(), accountId: actor.accountId, kind: extractImportedKind };
    const payload = { memory_ids: memoryIds };
    await enqueueJob(tx, { ...job, payload, spaces: null, runAt: clock.now() });
  }

  /** Recordings without a file here wait for it. */
  async #collectRecordings(
    account: AccountImport,
    records: readonly ArchiveRecord<'media'>[],
  ): Promise<void> {
    const existing = await account.findRecordings(records.map(({ memory_id }) => memory_id));
    const outcomes: RecordOutcome[] = [];
    for (const media of records) {
      const { memory_id: id, sha256 } = media;
      if (account.memoryId(id) === null) outcomes.push({ id, outcome: 'memory_missing' });
      else if (existing.has(id)) outcomes.push({ id, outcome: 'unchanged' });
      else {
        const pending = this.#recordings.get(sha256) ?? [];
        this.#recordings.set(sha256, [...pending, { account, media }]);
      }
    }
    const { save } = this.#batchOptions(account, 'media');
    await withTransaction(account.ctx, (inTx) => save(inTx, outcomes));
  }

  async #importFile(sha256: string, entry: ArchiveEntry): Promise<void> {
    const all = this.#recordings.get(sha256) ?? [];
    this.#recordings.delete(sha256);
    const pending = all.flatMap((one, i) => {
      const line = i + 1;
      const isDone = this.#entry === this.#state.entry && line <= this.#state.line;
      return isDone ? [] : [{ ...one, line }];
    });
    if (this.#entry < this.#state.entry || pending.length === 0) return;
    const { uploadBytesMax } = this.#app.config.media;
    if (this.#isDryRun || entry.size > uploadBytesMax) {
      const outcome = entry.size > uploadBytesMax ? 'file_too_large' : 'created';
      for (const { account, media, line } of pending)
        await this.#record(account, line, { id: media.memory_id, outcome });
      return;
    }
    const { blobs } = this.#app;
    const limits = { bytesMax: uploadBytesMax };
    let blob = await blobs.write(this.#renewing(entry.content), limits);
    for (const [i, { account, media, line }] of pending.entries()) {
      // Each recording has a file of its own: the import of one may remove its file.
      const next =
        i + 1 < pending.length
          ? await blobs.write(this.#renewing(blobs.read(blob.name)), limits)
          : blob;
      this.#line = line;
      const memory_id = account.memoryId(media.memory_id) ?? '';
      const { save } = this.#batchOptions(account, 'media');
      await importRecording(account.ctx, { ...media, memory_id }, blob, (inTx, outcome) =>
        save(inTx, [{ id: media.memory_id, outcome }]),
      );
      blob = next;
    }
  }

  /** A large file takes longer than the lease of the job. */
  async *#renewing(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    const { clock } = this.#app;
    let renewedMs = clock.monotonicMs();
    for await (const chunk of content) {
      yield chunk;
      if (clock.monotonicMs() - renewedMs < renewMs) continue;
      await this.#job.saveProgress(this.#share(this.#state));
      renewedMs = clock.monotonicMs();
    }
  }

  async #record(account: AccountImport, line: number, outcome: RecordOutcome): Promise<void> {
    this.#line = line;
    const { save } = this.#batchOptions(account, 'media');
    await withTransaction(account.ctx, (inTx) => save(inTx, [outcome]));
  }

  async #reportMissingFiles(): Promise<void> {
    this.#entry += 1;
    const missing = [...this.#recordings.values()].flat();
    for (const [i, { account, media }] of missing.entries())
      await this.#record(account, i + 1, { id: media.memory_id, outcome: 'file_missing' });
  }

  async #finish(): Promise<JobResult> {
    const { ids, clock, engine } = this.#app;
    const report = presentReport(this.#state);
    for (const { ctx, ownMemoryId } of this.#accounts.values()) {
      const { accountId } = ctx.actor;
      const changed = this.#state.changed.filter(([id]) => id === accountId);
      await withTransaction(ctx, async ({ tx, journal }) => {
        for (let from = 0; from < changed.length; from += extractPerJob) {
          const memoryIds = changed
            .slice(from, from + extractPerJob)
            .map(([, id]) => ownMemoryId(id));
          const job = { id: ids.uuid(), accountId, kind: extractImportedKind };
          const payload = { memory_ids: memoryIds };
          await enqueueJob(tx, { ...job, payload, spaces: null, runAt: clock.now() });
        }
        if (this.#isDryRun) return;
        const data = { import_id: this.#job.id, records: report.records };
        const place = { spaceId: null, secondSpaceId: allSpaces };
        journal.addEvent({ accountId, ...place, type: 'import.completed', data });
      });
    }
    await engine.transaction((tx) => scheduleBlobRemoval({ tx, ids, clock }, [this.#payload.blob]));
    return { ...report };
  }
}
