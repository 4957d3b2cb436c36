import { createHash } from 'node:crypto';
import { limits, type Route } from '@mneme/contract';
import type { FastifyRequest } from 'fastify';
import type { Tx } from '../database/index.ts';
import type { Ctx, TxCtx } from '../domains/ctx.ts';
import {
  findStoredResponse,
  type RequestProgress,
  type StoredResponse,
  StoredResponseExists,
  storeResponse,
  unfinishedStatus,
} from '../instance/idempotency-store.ts';
import { decryptText, encryptText } from '../kernel/encryption.ts';
import { AppError, fieldError } from '../kernel/errors.ts';
import { perApp } from '../kernel/per-app.ts';
import { credentialsOf } from './credentials.ts';
import { toAppError, toErrorResponse } from './errors.ts';
import { FormDigest } from './form-digest.ts';
import { digestForm, isMultipartForm } from './multipart-form.ts';
import { type HttpResponse, toHttpResponse } from './response.ts';

const retentionMs = 24 * 3_600_000;

/** Keys whose first request runs in this process; across processes the table's key decides. */
const runningKeys = perApp<Ctx, Set<string>>(() => new Set());

interface KeyedRequest {
  readonly route: Route;
  readonly key: string;
  readonly url: string;
  /** Headers that are the route's own input. */
  readonly inputHeaders: string;
  /** What the key is bound to; null where not all of a form was read: then nothing is kept. */
  readonly content: () => Uint8Array | null;
  /** Reads a form to its end, where there is one. */
  readonly readAll: () => Promise<void>;
  /** The Authorization header: an outcome that holds a secret is sealed with it. */
  readonly credentials: string;
}

/**
 * Runs a request once per Idempotency-Key. The outcome is written in the verb's own transaction
 * (ctx.seal): effect and outcome are both there after a crash, or neither. Throws 409
 * idempotency_key_reused and idempotency_in_progress.
 */
export async function withIdempotencyKey(
  ctx: Ctx,
  route: Route,
  request: FastifyRequest,
  run: (ctx: Ctx) => Promise<unknown>,
): Promise<HttpResponse> {
  const keyed = toKeyedRequest(ctx, route, request);
  const first = await findFirstResponse(ctx, keyed);
  const kept = first && replayStoredResponse(ctx, keyed, first);
  if (kept) return kept;
  const token = `${ctx.actor.accountId}:${keyed.key}`;
  const busy = runningKeys.of(ctx);
  if (busy.has(token)) throw new AppError('idempotency_in_progress');
  busy.add(token);
  try {
    const progress = new IdempotencyProgress(
      ctx,
      keyed,
      (first?.body as RequestProgress | undefined) ?? null,
    );
    const refusal = (error: unknown) => toErrorResponse(toAppError(error), request);
    return await runAndStore(ctx, keyed, progress, run, refusal);
  } finally {
    busy.delete(token);
  }
}

/** Throws 422 validation_error for a key that cannot be kept. */
function toKeyedRequest(ctx: Ctx, route: Route, request: FastifyRequest): KeyedRequest {
  const { headers, url, jsonBody } = request;
  const bodyBytes = jsonBody?.fingerprint ?? new Uint8Array();
  const key = String(headers['idempotency-key']);
  const max = limits.idempotencyKeyCharactersMax;
  if (key.length < 1 || key.length > max || !/^[\x20-\x7e]+$/.test(key)) {
    const message = `must be 1 to ${max} printable ASCII characters`;
    throw fieldError('Idempotency-Key', { code: 'invalid_format', message });
  }
  const credentials = credentialsOf(headers) ?? '';
  const keyed = { route, key, url, inputHeaders: inputHeadersOf(route, headers), credentials };
  const { form } = route;
  if (form === undefined || !isMultipartForm(request)) {
    return { ...keyed, content: () => bodyBytes, readAll: async () => undefined };
  }
  const sum = new FormDigest();
  request.formSum = sum;
  const readAll = () => digestForm(request, form, ctx.config.media.uploadBytesMax);
  return { ...keyed, content: () => sum.digest(), readAll };
}

function inputHeadersOf({ headers: schema }: Route, headers: FastifyRequest['headers']): string {
  if (schema === undefined || !('shape' in schema)) return '';
  const names = Object.keys(schema.shape as object);
  return `${JSON.stringify(names.map((name) => headers[name] ?? null))}\n`;
}

/** Of a request that commits several transactions: see Progress in domains/ctx.ts. */
class IdempotencyProgress {
  readonly #ctx: Ctx;
  readonly #request: KeyedRequest;
  #committed: RequestProgress | null;

  constructor(ctx: Ctx, request: KeyedRequest, committed: RequestProgress | null) {
    this.#ctx = ctx;
    this.#request = request;
    this.#committed = committed;
  }

  get committed(): RequestProgress | null {
    return this.#committed;
  }

  async record(
    { tx, journal }: Pick<TxCtx, 'tx' | 'journal'>,
    progress: RequestProgress,
  ): Promise<void> {
    await this.store(tx, { status: unfinishedStatus, headers: {}, body: progress });
    journal.afterCommit(() => {
      this.#committed = progress;
    });
  }

  /** Stores it in place of what is committed. Throws OutcomeExists where another request did. */
  async store(tx: Tx, outcome: Omit<StoredResponse, 'fingerprint'>): Promise<void> {
    const { actor, clock } = this.#ctx;
    const now = clock.now();
    const at = { now, expired: new Date(now.getTime() - retentionMs), follows: this.#committed };
    const fingerprint = computeFingerprint(this.#ctx, this.#request);
    await storeResponse(tx, actor.accountId, this.#request.key, { ...outcome, fingerprint }, at);
  }
}

async function runAndStore(
  ctx: Ctx,
  request: KeyedRequest,
  progress: IdempotencyProgress,
  run: (ctx: Ctx) => Promise<unknown>,
  refusal: (error: unknown) => HttpResponse,
): Promise<HttpResponse> {
  const { route } = request;
  let sealed = false;
  try {
    const result = await run({
      ...ctx,
      progress,
      beforeCommit: async (tx, value) => {
        await progress.store(tx, toStoredResponse(ctx, request, toHttpResponse(route, value)));
        sealed = true;
      },
    });
    if (!sealed) throw new Error(`${route.id} is idempotent but opened no transaction`);
    return toHttpResponse(route, result);
  } catch (error) {
    // The same request may have run on another process meanwhile. Its outcome stands: ours was
    // taken back, or refused because of what the other one stored.
    const theirs = await findReplay(ctx, request);
    if (theirs) return theirs;
    if (error instanceof StoredResponseExists) {
      throw new AppError('idempotency_in_progress');
    }
    const final = refusal(error);
    // Of a form that was refused before its end it is not known which one it was.
    // What has been committed in part may be continued.
    const isWhole = request.content() !== null && progress.committed === null;
    if (isReplayable(final) && isWhole) {
      await ctx.engine
        .transaction((tx) => progress.store(tx, toStoredResponse(ctx, request, final)))
        .catch((late: unknown) => {
          // Kept by another process in this very moment; a refusal had no effect to keep.
          if (!(late instanceof StoredResponseExists)) throw late;
        });
    }
    throw error;
  }
}

/** A 5xx may be tried again, and so may a 429, when its time has come. */
const isReplayable = ({ status }: HttpResponse): boolean => status < 500 && status !== 429;

/** What is stored of an answer: one with a secret is encrypted with the caller's credentials. */
function toStoredResponse(
  ctx: Ctx,
  { route, credentials, key }: KeyedRequest,
  final: HttpResponse,
) {
  if (!route.secretResponse) return final;
  const text = JSON.stringify(final.body ?? null);
  return { ...final, body: { sealed: encryptText(text, credentials, key, ctx.ids.bytes(12)) } };
}

const findUnexpiredResponse = (
  ctx: Ctx,
  { key }: KeyedRequest,
): Promise<StoredResponse | undefined> => {
  const since = new Date(ctx.clock.now().getTime() - retentionMs);
  return findStoredResponse(ctx.engine.db, ctx.actor.accountId, key, since);
};

/** Before anything is done: of a form all is read, since its file is at stake, too. */
async function findFirstResponse(ctx: Ctx, request: KeyedRequest): Promise<StoredResponse | null> {
  const outcome = await findUnexpiredResponse(ctx, request);
  if (!outcome) return null;
  try {
    await request.readAll();
  } catch (error) {
    // What was wrong with the form was told the first time; here it is only compared.
    if (request.content() === null) throw error;
  }
  return outcome;
}

async function findReplay(ctx: Ctx, request: KeyedRequest): Promise<HttpResponse | null> {
  if (request.content() === null) return null;
  const outcome = await findUnexpiredResponse(ctx, request);
  return outcome ? replayStoredResponse(ctx, request, outcome) : null;
}

/** The kept answer; null where the request is unfinished. Throws 409 idempotency_key_reused. */
function replayStoredResponse(
  ctx: Ctx,
  request: KeyedRequest,
  outcome: StoredResponse,
): HttpResponse | null {
  const { key, route, credentials } = request;
  if (!Buffer.from(outcome.fingerprint).equals(computeFingerprint(ctx, request))) {
    throw new AppError('idempotency_key_reused');
  }
  if (outcome.status === unfinishedStatus) return null;
  const body = route.secretResponse
    ? (JSON.parse(
        decryptText((outcome.body as { sealed: string }).sealed, credentials, key),
      ) as unknown)
    : outcome.body;
  const headers = { ...outcome.headers, 'idempotency-replayed': 'true' };
  return { status: outcome.status, headers, body: body ?? undefined };
}

/**
 * What a secret answers belongs to one key alone, so its credentials are part of the request; and
 * so are the spaces that a key is limited to: it is not told what happened in others.
 */
function computeFingerprint({ actor }: Ctx, request: KeyedRequest): Uint8Array {
  const { route, url, inputHeaders, credentials } = request;
  const content = request.content();
  if (content === null) throw new Error('the request was not read to its end');
  const spaces = actor.spaces === null ? '' : `${[...actor.spaces].sort().join()}\n`;
  const secret = route.secretResponse ? credentials : '';
  return createHash('sha256')
    .update(`${route.method} ${url}\n${secret}\n${inputHeaders}${spaces}`)
    .update(content)
    .digest();
}
