import { createHash } from 'node:crypto';
import {
  type EraseFilter,
  type EraseMemoriesBody,
  eraseFilter,
  type OwnerFilter,
  type ResponseBody,
  type routes,
} from '@mneme/contract';
import { enqueueJob } from '../../jobs/job-queue.ts';
import type { JobResult, RunningJob } from '../../jobs/job-worker.ts';
import { AdaptiveBatchSize } from '../../kernel/adaptive-batch-size.ts';
import { AppError } from '../../kernel/errors.ts';
import { isValidSignedLink, signLink } from '../../kernel/signed-link.ts';
import {
  type App,
  type Ctx,
  requestedUser,
  systemCtx,
  visibleSpaces,
  withTransaction,
} from '../ctx.ts';
import { Reply } from '../handler.ts';
import { requireUsableSpace } from '../spaces/index.ts';
import {
  countOwnedRecords,
  type OwnedRecordCounts,
  onlyOwnerOf,
  ownedRecordKinds,
  ownedRecordRegistry,
} from './owned-records.ts';
import { toMemoryFilter } from './read.ts';
import { eraseLockedMemories } from './remove.ts';
import { countMatchingMemories, listMatchingIds, type MemoryFilter } from './store/list.ts';
import { lockMemories } from './store/memories.ts';

export const eraseMatchingKind = 'memories.erase_matching';

type Answer = ResponseBody<typeof routes.memories.erase>;

const tokenPurpose = 'erasures of memories';
const tokenMinutes = 10;
const beforeAllIds = '00000000-0000-0000-0000-000000000000';

/**
 * A dry run counts what a filter matches; the run needs its token and queues the job. Throws 404
 * space_not_found, 403 space_access_denied or user_access_denied, 409 conflict (the token is not of
 * this filter or has expired, or more memories match by now).
 */
export async function eraseMatching(ctx: Ctx, body: EraseMemoriesBody): Promise<Reply<Answer>> {
  const { dry_run: isDryRun, token = '' } = body;
  // The job acts without the token: its filter has the user whom the token is limited to.
  const user_id = requestedUser(ctx.actor, body.filter.user_id);
  const filter = { ...body.filter, ...(user_id !== undefined && { user_id }) };
  if (filter.space_id !== undefined) await requireUsableSpace(ctx, filter.space_id);
  const { engine, actor, clock, ids } = ctx;
  const { accountId } = actor;
  const counts = {
    ...(await countMatchingMemories(engine.db, accountId, toErasureFilter(ctx, filter))),
    ...(await countOwnedRecords(ctx, onlyOwnerOf(filter))),
  };
  if (!isDryRun) requireNoMoreThan(counts, readToken(ctx, filter, token));
  // A dry run, too, commits its answer under its Idempotency-Key.
  return withTransaction(ctx, async ({ tx }) => {
    if (isDryRun) return new Reply({ ...counts, ...issueToken(ctx, filter, counts) });
    const id = ids.uuid();
    const now = clock.now();
    const total = counts.count + counts.mails + counts.uploads;
    const payload = { filter, until: now.toISOString(), total };
    const job = { id, accountId, kind: eraseMatchingKind, payload, runAt: now };
    await enqueueJob(tx, { ...job, spaces: visibleSpaces(actor) });
    return new Reply({ job_id: id }, { status: 202 });
  });
}

/** Of memories, and of what else belongs to an owner. */
type Counts = OwnedRecordCounts & { readonly count: number };
const countNames = ['count', ...ownedRecordKinds] as const;

/** Throws 409 conflict. */
function requireNoMoreThan(counts: Counts, counted: Counts): void {
  const grown = countNames.find((name) => counts[name] > counted[name]);
  if (grown === undefined) return;
  const what = grown === 'count' ? 'memories' : grown;
  throw new AppError('conflict', {
    message: `More ${what} match than the dry run counted: repeat it.`,
    details: { counted: counted[grown], count: counts[grown] },
  });
}

const toErasureFilter = (ctx: Ctx, filter: EraseFilter): MemoryFilter => ({
  ...toMemoryFilter(ctx, filter),
  ids: filter.ids,
  metadata: filter.metadata ?? {},
  includeDeleted: true,
});

/** What the signature covers besides the expiry. */
const signedParts = ({ actor }: Ctx, filter: EraseFilter, counts: Counts): (string | number)[] => {
  const sorted = Object.entries(filter).toSorted(([a], [b]) => (a < b ? -1 : 1));
  const hash = createHash('sha256').update(JSON.stringify(sorted)).digest('base64url');
  return [actor.accountId, hash, ...countNames.map((name) => counts[name])];
};

function issueToken(
  ctx: Ctx,
  filter: EraseFilter,
  { count, mails, uploads }: Counts,
): { token: string; expires_at: string } {
  const expires = Math.floor(ctx.clock.now().getTime() / 1_000) + tokenMinutes * 60;
  const counts = { count, mails, uploads };
  const signature = signLink(ctx, tokenPurpose, signedParts(ctx, filter, counts), expires);
  const token = Buffer.from(JSON.stringify({ ...counts, expires, signature })).toString(
    'base64url',
  );
  return { token, expires_at: new Date(expires * 1_000).toISOString() };
}

/** The counts of the dry run. */
function readToken(ctx: Ctx, filter: EraseFilter, token: string): Counts {
  const { count, mails, uploads, expires, signature } = parseToken(token);
  if (
    typeof count === 'number' &&
    typeof mails === 'number' &&
    typeof uploads === 'number' &&
    typeof expires === 'number' &&
    typeof signature === 'string'
  ) {
    const counts = { count, mails, uploads };
    const parts = signedParts(ctx, filter, counts);
    if (isValidSignedLink(ctx, tokenPurpose, parts, { expires, signature })) return counts;
  }
  throw new AppError('conflict', {
    message: 'The token is not of a dry run of this filter, or has expired: repeat the dry run.',
  });
}

function parseToken(token: string): Readonly<Record<string, unknown>> {
  try {
    const parsed: unknown = JSON.parse(Buffer.from(token, 'base64url').toString('utf8'));
    return { ...(parsed as object | null) };
  } catch {
    return {};
  }
}

/**
 * Job: erases what a filter matches in small steps, up to what had been created when it was
 * queued. Continues after a crash where it stopped. Its result is the receipt.
 */
export async function eraseMatchingMemories(app: App, job: RunningJob): Promise<JobResult> {
  if (job.accountId === null) return {};
  const ctx = systemCtx(app, job.accountId, job.spaces);
  return new ErasureRun(ctx, job).run();
}

interface Payload {
  readonly filter: unknown;
  /** What was created later stays. */
  readonly until: string;
  /** All counts of the dry run together. */
  readonly total: number;
  /** The last memory that a step has read. */
  readonly after?: string;
  readonly erased?: number;
  readonly mails?: number;
  readonly uploads?: number;
}

class ErasureRun {
  readonly #ctx: Ctx;
  readonly #job: RunningJob;
  readonly #filter: MemoryFilter;
  readonly #owner: OwnerFilter | null;
  readonly #createdUntil: Date;
  readonly #adaptiveBatch: AdaptiveBatchSize;
  #progress: Required<Payload>;

  constructor(ctx: Ctx, job: RunningJob) {
    const payload = job.payload as unknown as Payload;
    const filter = eraseFilter.parse(payload.filter);
    this.#ctx = ctx;
    this.#job = job;
    this.#filter = toErasureFilter(ctx, filter);
    this.#owner = onlyOwnerOf(filter);
    this.#createdUntil = new Date(payload.until);
    this.#adaptiveBatch = new AdaptiveBatchSize(ctx.clock);
    this.#progress = { after: beforeAllIds, erased: 0, mails: 0, uploads: 0, ...payload };
  }

  async run(): Promise<JobResult> {
    // First, so that what is underway becomes no memory.
    await this.#eraseOwned();
    await this.#eraseMemories();
    await this.#eraseLaterMemories();
    // Those whose memory is erased by now.
    await this.#eraseOwned();
    const { engine, actor } = this.#ctx;
    const left = await countMatchingMemories(engine.db, actor.accountId, this.#filter);
    const { erased, mails, uploads } = this.#progress;
    return { erased, hard_protected: left.hard_protected, mails, uploads };
  }

  async #eraseMemories(): Promise<void> {
    const { engine, actor } = this.#ctx;
    const step = async (limit: number): Promise<boolean> => {
      const page = { after: this.#progress.after, createdUntil: this.#createdUntil, limit };
      const ids = await listMatchingIds(engine.db, actor.accountId, this.#filter, page);
      const erased = await eraseStillMatching(this.#ctx, this.#filter, ids);
      await this.#save({
        after: ids.at(-1) ?? this.#progress.after,
        erased: this.#progress.erased + erased,
      });
      return ids.length > 0;
    };
    while (await this.#adaptiveBatch.run(step));
  }

  async #eraseOwned(): Promise<void> {
    const owner = this.#owner;
    if (owner === null) return;
    for (const kind of ownedRecordKinds) {
      const records = ownedRecordRegistry.of(this.#ctx, kind);
      const step = async (limit: number): Promise<boolean> => {
        const page = { createdUntil: this.#createdUntil, limit };
        const erased = (await records?.erase(this.#ctx, owner, page)) ?? 0;
        await this.#save({ [kind]: this.#progress[kind] + erased });
        return erased > 0;
      };
      while (await this.#adaptiveBatch.run(step));
    }
  }

  /** What was underway when the job was queued, and became a memory before its turn came. */
  async #eraseLaterMemories(): Promise<void> {
    const owner = this.#owner;
    if (owner === null) return;
    for (const kind of ownedRecordKinds) {
      const records = ownedRecordRegistry.of(this.#ctx, kind);
      const ids = await records?.listLaterMemories(this.#ctx, owner, this.#createdUntil);
      const erased = await eraseStillMatching(this.#ctx, this.#filter, ids ?? []);
      await this.#save({ erased: this.#progress.erased + erased });
    }
  }

  async #save(changed: Partial<Payload>): Promise<void> {
    this.#progress = { ...this.#progress, ...changed };
    const { erased, mails, uploads, total } = this.#progress;
    const share = (erased + mails + uploads) / Math.max(1, total);
    await this.#job.saveProgress(Math.min(0.99, share), this.#progress);
  }
}

/** A memory that no longer matches, or is hard-protected, by the time it is locked stays. */
const eraseStillMatching = (
  ctx: Ctx,
  filter: MemoryFilter,
  ids: readonly string[],
): Promise<number> =>
  withTransaction(ctx, async (inTx) => {
    const { tx, actor } = inTx;
    const locked = await lockMemories(tx, actor.accountId, ids);
    const page = { after: beforeAllIds, limit: locked.length };
    const still = { ...filter, ids: locked.map(({ id }) => id) };
    const matching = new Set(await listMatchingIds(tx, actor.accountId, still, page));
    const records = locked.filter(({ id }) => matching.has(id));
    if (records.length > 0) await eraseLockedMemories(inTx, records);
    return records.length;
  });
