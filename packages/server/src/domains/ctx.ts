import type { AccountSettings, Scope as KeyScope, Plan } from '@mneme/contract';
import type { Engine, Tx } from '../database/index.ts';
import { eventNotifier, jobNotifier } from '../events/commit-notifier.ts';
import { Journal } from '../events/journal.ts';
import type { RequestProgress } from '../instance/idempotency-store.ts';
import { accountsWithQueuedJobs } from '../jobs/job-queue.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Config } from '../kernel/config.ts';
import { AppError } from '../kernel/errors.ts';
import type { Ids } from '../kernel/ids.ts';
import type { Log } from '../kernel/log.ts';
import type { AppScope } from '../kernel/per-app.ts';
import type { BlobStore } from '../providers/blobs/index.ts';
import type { Embedder, StoredEmbeddingSettings } from '../providers/embedding/index.ts';
import type { OutboundFetch } from '../providers/fetch/index.ts';
import type { Ffmpeg } from '../providers/ffmpeg/index.ts';
import type { TextAnalyzer } from '../providers/language/index.ts';
import type { DnsResolver, MailSender } from '../providers/mail/index.ts';
import type { Transcriber } from '../providers/transcription/index.ts';
import type { VisionModel } from '../providers/vision/index.ts';

/** How models other than the configured one are made: those that are being left. */
interface EmbeddingSource {
  /** Throws EmbeddingFailed. `settings` null: only the name is known. */
  make(model: string, settings: StoredEmbeddingSettings | null): Promise<Embedder>;
}

/** What the whole process shares. */
export interface App extends AppScope {
  readonly config: Config;
  readonly log: Log;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly engine: Engine;
  /** Of the configured model. An account may still be searched by another: see index/models.ts. */
  readonly embedder: Embedder;
  readonly embedding: EmbeddingSource;
  /** Reads what texts say. */
  readonly language: TextAnalyzer;
  /** Calls to addresses that tenants chose, and no others. */
  readonly fetchOutside: OutboundFetch;
  /** What is too large for rows. */
  readonly blobs: BlobStore;
  /** Tells what files are, and cuts and changes them. */
  readonly ffmpeg: Ffmpeg;
  /** What hears, the first by default; none where nothing is configured. */
  readonly transcribers: readonly Transcriber[];
  /** What sees; null where nothing is configured. */
  readonly vision: VisionModel | null;
  /** The way out for mail. */
  readonly sendMail: MailSender;
  /** Who answers what the DNS is asked about senders of mail. */
  readonly resolveName: DnsResolver;
  /** What everything encrypted at rest hangs on. */
  readonly secretKey: string;
  readonly version: string;
}

/** On whose behalf something is done. */
export interface Actor {
  readonly accountId: string;
  readonly plan: Plan;
  readonly settings: AccountSettings;
  readonly keyId: string | null;
  /** Of the secret that the caller's key or token comes from; see accounts/model.ts. */
  readonly secretFingerprint?: string;
  /** The session token that the caller presented; absent for an API key. */
  readonly token?: { readonly id: string; readonly expiresAt: Date };
  readonly scopes: ReadonlySet<KeyScope>;
  /** Space ids the key may use, `default` for account level; null: all. */
  readonly spaces: ReadonlySet<string> | null;
}

/** Called in the verb's transaction with its result, before the commit. */
type BeforeCommit = (tx: Tx, result: unknown) => Promise<void>;

/** How far a request with an Idempotency-Key came that commits several transactions. */
interface ProgressRecord {
  /** What was committed, also by an interrupted request with the same key; null: nothing. */
  readonly committed: RequestProgress | null;
  /** Replaces it, within a transaction other than the last. Throws OutcomeExists. */
  record(inTx: Pick<TxCtx, 'tx' | 'journal'>, progress: RequestProgress): Promise<void>;
}

/** What a verb gets. */
export interface Ctx extends App {
  readonly actor: Actor;
  readonly requestId: string;
  readonly beforeCommit?: BeforeCommit;
  readonly progress?: ProgressRecord;
}

/** Inside a transaction: only `tx` may touch the database, events go to the journal. */
export interface TxCtx extends Ctx {
  readonly tx: Tx;
  readonly journal: Journal;
}

export const isInTransaction = (ctx: Ctx): ctx is TxCtx => 'tx' in ctx;

/** One transaction and its journal, written last; after the commit who listens is told. */
export async function runInTransaction<T>(
  app: App,
  fn: (tx: Tx, journal: Journal) => Promise<T>,
): Promise<T> {
  let told: ReadonlySet<string> = new Set();
  let afterwards: readonly (() => void)[] = [];
  let queued: ReadonlySet<string> = new Set();
  const result = await app.engine.transaction(async (tx) => {
    const journal = new Journal();
    const value = await fn(tx, journal);
    await journal.flush(tx, app);
    told = journal.eventAccountIds;
    afterwards = journal.afterCommitCallbacks;
    queued = accountsWithQueuedJobs(tx);
    return value;
  });
  eventNotifier.of(app).notify(told);
  jobNotifier.of(app).notify(queued);
  for (const call of afterwards) call();
  return result;
}

/**
 * Runs `fn` in one transaction, or in the caller's where there is one. The journal and the
 * request's seal (an idempotent outcome) are written with it, or not at all.
 */
export async function withTransaction<T>(ctx: Ctx, fn: (ctx: TxCtx) => Promise<T>): Promise<T> {
  if (isInTransaction(ctx)) return fn(ctx);
  return runInTransaction(ctx, async (tx, journal) => {
    const value = await fn({ ...ctx, tx, journal });
    await ctx.beforeCommit?.(tx, value);
    return value;
  });
}

/** Without a key there is nobody to limit. */
export const unlimitedActor = {
  keyId: null,
  plan: 'enterprise',
  settings: {
    daily_memory_limit: null,
    enforce_endpoint_limits: false,
    allow_custom_relationship_types: false,
    email: { accept_unknown: 'store' },
  },
} as const;

/**
 * Acts for an account with no request behind it: jobs and maintenance.
 * @param spaces of the key that caused a job; null: every space
 */
export function systemCtx(
  app: App,
  accountId: string,
  spaces: readonly string[] | null = null,
): Ctx {
  const reach = spaces && new Set(spaces);
  return {
    ...app,
    actor: { ...unlimitedActor, accountId, scopes: new Set(['admin']), spaces: reach },
    requestId: 'system',
  };
}

const spaceName = (spaceId: string | null): string => spaceId ?? 'default';

export const canReadSpace = (actor: Actor, spaceId: string | null): boolean =>
  actor.spaces === null || actor.spaces.has(spaceName(spaceId));

/** Throws 403 space_access_denied: for a space that is named, or reached through a resource. */
export function requireSpaceAccess(actor: Actor, spaceId: string | null): void {
  if (canReadSpace(actor, spaceId)) return;
  throw new AppError('space_access_denied', { details: { space_id: spaceName(spaceId) } });
}

/** Throws 403 space_access_denied where a key that is limited to spaces concerns the account. */
export function requireAccountWideAccess(actor: Actor): void {
  if (actor.spaces === null) return;
  throw new AppError('space_access_denied', {
    message: 'This concerns the whole account: use a key that is not limited to spaces.',
  });
}

/**
 * No space has this name. As an event's second space: told only to who is limited to no spaces. In
 * details of an error: the key would reach every space.
 */
export const allSpaces = '*';
/** Whether the key may use all of these, `default` among them for none; null: every space. */
export const canUseSpaces = ({ spaces: own }: Actor, spaces: readonly string[] | null): boolean =>
  own === null || (spaces?.every((name) => own.has(name)) ?? false);

/** The spaces a list is limited to, or null for all. */
export const visibleSpaces = (actor: Actor): string[] | null =>
  actor.spaces === null ? null : [...actor.spaces];
