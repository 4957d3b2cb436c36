import type { AccountSettings, EventType, Scope as KeyScope, Plan } from '@mneme/contract';
import type { Engine, Tx } from '../database/index.ts';
import { eventNotifier, eventsTopic, jobNotifier } from '../events/commit-notifier.ts';
import { Journal } from '../events/journal.ts';
import type { RequestProgress } from '../instance/idempotency-store.ts';
import { accountsWithQueuedJobs } from '../jobs/job-queue.ts';
import { lockAccountOfQueuedJob } from '../jobs/queued-accounts.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Config } from '../kernel/config.ts';
import { AppError } from '../kernel/errors.ts';
import type { Ids } from '../kernel/ids.ts';
import type { Log } from '../kernel/log.ts';
import { metrics } from '../kernel/metrics/metrics.ts';
import type { AppLifetime } from '../kernel/per-app.ts';
import type { BlobStore } from '../providers/blobs/index.ts';
import type {
  Embedder,
  OpenEmbedders,
  StoredEmbeddingSettings,
} from '../providers/embedding/index.ts';
import type { OutboundFetch } from '../providers/fetch/index.ts';
import type { Ffmpeg } from '../providers/ffmpeg/index.ts';
import type { QueryRewriter, TextAnalyzer } from '../providers/language/index.ts';
import type { DnsResolver, MailSender } from '../providers/mail/index.ts';
import type { Reranker } from '../providers/rerank/index.ts';
import type { Transcriber } from '../providers/transcription/index.ts';
import type { VisionModel } from '../providers/vision/index.ts';

/** Creates embedders for models other than the current one, such as the former model. */
interface EmbeddingSource {
  /** Parts that outlive a request read the current embedder here. */
  readonly open: OpenEmbedders;
  /** Throws EmbeddingFailed. `settings` null: only the model's name is known. */
  make(model: string, settings: StoredEmbeddingSettings | null): Promise<Embedder>;
}

/** Services shared by the whole process. */
export interface App extends AppLifetime {
  readonly config: Config;
  readonly log: Log;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly engine: Engine;
  /**
   * Of the current model; a request uses the one that was current at its start. An account may
   * still use another one: see search-index/account-models.ts.
   */
  readonly embedder: Embedder;
  readonly embedding: EmbeddingSource;
  /** Analyses the language of texts. */
  readonly language: TextAnalyzer;
  /** Makes other texts of a query; null if no language model is configured. */
  readonly queryRewriter: QueryRewriter | null;
  /** Null if none is configured. */
  readonly reranker: Reranker | null;
  /** Sends requests to addresses that tenants chose, and to no others. */
  readonly fetchOutside: OutboundFetch;
  /** Stores content that is too large for rows. */
  readonly blobs: BlobStore;
  /** Detects the types of media files, cuts and converts them. */
  readonly ffmpeg: Ffmpeg;
  /** The first one is the default; empty if none is configured. */
  readonly transcribers: readonly Transcriber[];
  /** Null if none is configured. */
  readonly vision: VisionModel | null;
  /** Sends outbound mail. */
  readonly sendMail: MailSender;
  /** Resolves the DNS records that verify senders of mail. */
  readonly resolveName: DnsResolver;
  /** The root of all keys that encrypt data at rest. */
  readonly secretKey: string;
  readonly version: string;
}

/** The account and the credentials that a verb acts for. */
export interface Actor {
  readonly accountId: string;
  readonly plan: Plan;
  readonly settings: AccountSettings;
  readonly keyId: string | null;
  /** Of the secret behind the caller's key or token; see accounts/model.ts. */
  readonly secretFingerprint?: string;
  /**
   * The session token that the caller presented, or the access token of an OAuth client, with the
   * URL that it is for; absent for an API key.
   */
  readonly token?: {
    readonly id: string;
    readonly expiresAt: Date;
    readonly audience?: string;
  };
  readonly scopes: ReadonlySet<KeyScope>;
  /** Space ids the key may use, `default` for account level; null: all. */
  readonly spaces: ReadonlySet<string> | null;
  /** The user whose memories alone the token sees and writes; null: those of everybody. */
  readonly user: string | null;
}

/** Called in the verb's transaction with its result, before the commit. */
type BeforeCommit = (tx: Tx, result: unknown) => Promise<void>;

/** Progress of a request with an Idempotency-Key that commits several transactions. */
interface ProgressRecord {
  /** The committed progress, also of an interrupted request with the same key; null: none. */
  readonly committed: RequestProgress | null;
  /** Replaces the progress, in any transaction but the last. Throws StoredResponseExists. */
  record(inTx: Pick<TxCtx, 'tx' | 'journal'>, progress: RequestProgress): Promise<void>;
}

/** The context of a verb. */
export interface Ctx extends App {
  readonly actor: Actor;
  readonly requestId: string;
  /** The program that sent the request, such as `claude-code/2.1`, where its protocol names it. */
  readonly client?: string;
  /** Returns a signal that is aborted when the response is sent or the client disconnects. */
  readonly requestEnd?: () => AbortSignal;
  readonly beforeCommit?: BeforeCommit;
  readonly progress?: ProgressRecord;
}

/** Inside a transaction only `tx` may access the database, and events go to the journal. */
export interface TxCtx extends Ctx {
  readonly tx: Tx;
  readonly journal: Journal;
}

export const isInTransaction = (ctx: Ctx): ctx is TxCtx => 'tx' in ctx;

/** Runs one transaction and writes its journal last. Notifies listeners after the commit. */
export async function runInTransaction<T>(
  app: App,
  fn: (tx: Tx, journal: Journal) => Promise<T>,
): Promise<T> {
  let notifiedAccounts: ReadonlySet<string> = new Set();
  let afterCommit: readonly (() => void)[] = [];
  let queuedAccounts: ReadonlySet<string> = new Set();
  let eventTypes: readonly EventType[] = [];
  let hasDocuments = false;
  const result = await app.engine.transaction(async (tx) => {
    const journal = new Journal();
    const value = await fn(tx, journal);
    await journal.flush(tx, app);
    notifiedAccounts = journal.eventAccountIds;
    afterCommit = journal.afterCommitCallbacks;
    queuedAccounts = accountsWithQueuedJobs(tx);
    if (app.engine.isDistributed) await lockQueuedAccounts(tx, journal, queuedAccounts);
    eventTypes = journal.eventTypes;
    hasDocuments = journal.indexMoves.size > 0;
    return value;
  });
  for (const type of eventTypes) metrics.of(app).count('mneme_events_total', { type });
  eventNotifier.of(app).notify(notifiedAccounts, { types: new Set(eventTypes), hasDocuments });
  if (notifiedAccounts.size > 0) app.engine.processes.publish(eventsTopic, notifiedAccounts);
  jobNotifier.of(app).notify(queuedAccounts);
  for (const call of afterCommit) call();
  return result;
}

/** Those with events are locked already, in the same order. */
async function lockQueuedAccounts(
  tx: Tx,
  journal: Journal,
  accountIds: ReadonlySet<string>,
): Promise<void> {
  for (const accountId of [...accountIds].sort()) {
    const isLocked = journal.eventAccountIds.has(accountId);
    if (accountId !== '' && !isLocked) await lockAccountOfQueuedJob(tx, accountId);
  }
}

/**
 * Runs `fn` in one transaction, or in the caller's if there is one. The journal and the
 * request's `beforeCommit` (an idempotent outcome) commit with it or not at all.
 */
export async function withTransaction<T>(ctx: Ctx, fn: (ctx: TxCtx) => Promise<T>): Promise<T> {
  if (isInTransaction(ctx)) return fn(ctx);
  return runInTransaction(ctx, async (tx, journal) => {
    const value = await fn({ ...ctx, tx, journal });
    await ctx.beforeCommit?.(tx, value);
    return value;
  });
}

/** The service itself acts without a key, so no limits apply. */
export const unlimitedActor = {
  keyId: null,
  plan: 'enterprise',
  user: null,
  settings: {
    daily_memory_limit: null,
    enforce_endpoint_limits: false,
    allow_custom_relationship_types: false,
    detect_updates: 'suggest',
    email: { accept_unknown: 'store' },
  },
} as const;

/**
 * Returns a context for jobs and maintenance, which act for an account without a request.
 * @param spaces of the key that caused a job; null: every space
 */
export function systemCtx(
  app: App,
  accountId: string,
  spaces: readonly string[] | null = null,
): Ctx {
  const allowedSpaces = spaces && new Set(spaces);
  return {
    ...app,
    actor: { ...unlimitedActor, accountId, scopes: new Set(['admin']), spaces: allowedSpaces },
    requestId: 'system',
  };
}

export const spaceKey = (spaceId: string | null): string => spaceId ?? 'default';

export const canReadSpace = (actor: Actor, spaceId: string | null): boolean =>
  actor.spaces === null || actor.spaces.has(spaceKey(spaceId));

/** Throws 403 space_access_denied for a space that a request names or reaches via a resource. */
export function requireSpaceAccess(actor: Actor, spaceId: string | null): void {
  if (canReadSpace(actor, spaceId)) return;
  throw new AppError('space_access_denied', { details: { space_id: spaceKey(spaceId) } });
}

/** Which memories a caller may see. */
export interface MemoryVisibility {
  /** `default`: account level. Null: all spaces. */
  readonly spaces: readonly string[] | null;
  /** Null: memories of every user, and of none. */
  readonly user: string | null;
}

export const visibilityOf = (actor: Actor): MemoryVisibility => ({
  spaces: visibleSpaces(actor),
  user: actor.user,
});

/** For callers that are not limited to a user: the service itself, and routes that need it. */
export const inSpaces = (spaces: readonly string[] | null): MemoryVisibility => ({
  spaces,
  user: null,
});

interface PlacedMemory {
  readonly space_id: string | null;
  readonly user_id: string | null;
}

/** Whether the user that the actor is limited to, if it is, owns the memory. */
export const isOfUser = (actor: Actor, { user_id }: Pick<PlacedMemory, 'user_id'>): boolean =>
  actor.user === null || actor.user === user_id;

export const canReadMemory = (actor: Actor, memory: PlacedMemory): boolean =>
  isOfUser(actor, memory) && canReadSpace(actor, memory.space_id);

/** Throws 404 memory_not_found for another user's memory, then 403 space_access_denied. */
export function requireMemoryAccess(actor: Actor, memory: PlacedMemory): void {
  if (!isOfUser(actor, memory)) throw new AppError('memory_not_found');
  requireSpaceAccess(actor, memory.space_id);
}

/**
 * The user whose memories a request writes or asks for: of a limited token always its own. Throws
 * 403 user_access_denied if the request names another one.
 */
export function requestedUser(actor: Actor, named: string | undefined): string | undefined {
  if (actor.user === null) return named;
  if (named === undefined || named === actor.user) return actor.user;
  throw new AppError('user_access_denied', { details: { user_id: named } });
}

/** Throws 403 user_access_denied if the token is limited to a user. */
export function requireEveryUser(actor: Actor): void {
  if (actor.user !== null) throw new AppError('user_access_denied');
}

/** Throws 403 space_access_denied if the key is limited to spaces. */
export function requireAccountWideAccess(actor: Actor): void {
  if (actor.spaces === null) return;
  throw new AppError('space_access_denied', {
    message: 'This request affects the whole account: use a key that is not limited to spaces.',
  });
}

/**
 * No space has this name. As the second space of an event: only actors that are not limited to
 * spaces see the event. In the details of an error: the key would have access to every space.
 */
export const allSpaces = '*';
/** Whether the actor may use all of `spaces`, `default` for no space; null: every space. */
export const canUseSpaces = (
  { spaces: allowed }: Actor,
  spaces: readonly string[] | null,
): boolean => allowed === null || (spaces?.every((name) => allowed.has(name)) ?? false);

/** The spaces a list is limited to, or null for all. */
export const visibleSpaces = (actor: Actor): string[] | null =>
  actor.spaces === null ? null : [...actor.spaces];
