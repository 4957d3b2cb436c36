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

/** Keys of running requests in this process; the primary key of the table covers all processes. */
const runningKeys = perApp<Ctx, Set<string>>(() => new Set());

interface KeyedRequest {
  readonly route: Route;
  readonly key: string;
  readonly url: string;
  /** Headers that are input of the route. */
  readonly inputHeaders: string;
  /** The content that the key is bound to; null after a partly read form: nothing is stored. */
  readonly content: () => Uint8Array | null;
  /** Reads a form to its end, if there is one. */
  readonly readAll: () => Promise<void>;
  /** The Authorization header, which encrypts a response with a secret. */
  readonly credentials: string;
}

/**
 * Runs a request once per Idempotency-Key. The response is stored in the transaction of the handler
 * (ctx.beforeCommit), so that effect and response are committed together. Throws 409
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
  const stored = first && replayStoredResponse(ctx, keyed, first);
  if (stored) return stored;
  const token = `${ctx.actor.accountId}:${keyed.key}`;
  const running = runningKeys.of(ctx);
  if (running.has(token)) throw new AppError('idempotency_in_progress');
  running.add(token);
  try {
    const progress = new IdempotencyProgress(
      ctx,
      keyed,
      (first?.body as RequestProgress | undefined) ?? null,
    );
    const toRejection = (error: unknown) => toErrorResponse(toAppError(error), request);
    return await runAndStore(ctx, keyed, progress, run, toRejection);
  } finally {
    running.delete(token);
  }
}

/** Throws 422 validation_error for an invalid key. */
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
  const digest = new FormDigest();
  request.formSum = digest;
  const readAll = () => digestForm(request, form, ctx.config.media.uploadBytesMax);
  return { ...keyed, content: () => digest.digest(), readAll };
}

function inputHeadersOf({ headers: schema }: Route, headers: FastifyRequest['headers']): string {
  if (schema === undefined || !('shape' in schema)) return '';
  const names = Object.keys(schema.shape as object);
  return `${JSON.stringify(names.map((name) => headers[name] ?? null))}\n`;
}

/** The progress of a request that commits several transactions: see Progress in domains/ctx.ts. */
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

  /** Replaces the committed progress. Throws StoredResponseExists after another request's write. */
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
  toRejection: (error: unknown) => HttpResponse,
): Promise<HttpResponse> {
  const { route } = request;
  let isStored = false;
  try {
    const result = await run({
      ...ctx,
      progress,
      beforeCommit: async (tx, value) => {
        await progress.store(tx, toStoredResponse(ctx, request, toHttpResponse(route, value)));
        isStored = true;
      },
    });
    if (!isStored) throw new Error(`${route.id} is idempotent but opened no transaction`);
    return toHttpResponse(route, result);
  } catch (error) {
    // Another process may have run the same request. Its response counts: this transaction was
    // rolled back, or failed because of the other effect.
    const otherResponse = await findReplay(ctx, request);
    if (otherResponse) return otherResponse;
    if (error instanceof StoredResponseExists) {
      throw new AppError('idempotency_in_progress');
    }
    const rejection = toRejection(error);
    // A form that was not read to its end has no digest, and a partly committed request may be
    // continued: neither response is stored.
    const isComplete = request.content() !== null && progress.committed === null;
    if (isReplayable(rejection) && isComplete) {
      await ctx.engine
        .transaction((tx) => progress.store(tx, toStoredResponse(ctx, request, rejection)))
        .catch((storeError: unknown) => {
          // Another process stored a response; a rejection has no effect that could be lost.
          if (!(storeError instanceof StoredResponseExists)) throw storeError;
        });
    }
    throw error;
  }
}

/** Clients may retry a 5xx, and a 429 after its delay. */
const isReplayable = ({ status }: HttpResponse): boolean => status < 500 && status !== 429;

/** The stored form of a response: secrets are encrypted with the caller's credentials. */
function toStoredResponse(
  ctx: Ctx,
  { route, credentials, key }: KeyedRequest,
  response: HttpResponse,
) {
  if (!route.secretResponse) return response;
  const text = JSON.stringify(response.body ?? null);
  return { ...response, body: { sealed: encryptText(text, credentials, key, ctx.ids.bytes(12)) } };
}

const findUnexpiredResponse = (
  ctx: Ctx,
  { key }: KeyedRequest,
): Promise<StoredResponse | undefined> => {
  const since = new Date(ctx.clock.now().getTime() - retentionMs);
  return findStoredResponse(ctx.engine.db, ctx.actor.accountId, key, since);
};

/** The stored response. Reads a form to its end, because the fingerprint includes its file. */
async function findFirstResponse(ctx: Ctx, request: KeyedRequest): Promise<StoredResponse | null> {
  const stored = await findUnexpiredResponse(ctx, request);
  if (!stored) return null;
  try {
    await request.readAll();
  } catch (error) {
    // The first response reported invalid fields; here the form is only compared.
    if (request.content() === null) throw error;
  }
  return stored;
}

async function findReplay(ctx: Ctx, request: KeyedRequest): Promise<HttpResponse | null> {
  if (request.content() === null) return null;
  const stored = await findUnexpiredResponse(ctx, request);
  return stored ? replayStoredResponse(ctx, request, stored) : null;
}

/** The stored response; null for an unfinished request. Throws 409 idempotency_key_reused. */
function replayStoredResponse(
  ctx: Ctx,
  request: KeyedRequest,
  stored: StoredResponse,
): HttpResponse | null {
  const { key, route, credentials } = request;
  if (!Buffer.from(stored.fingerprint).equals(computeFingerprint(ctx, request))) {
    throw new AppError('idempotency_key_reused');
  }
  if (stored.status === unfinishedStatus) return null;
  const body = route.secretResponse
    ? (JSON.parse(
        decryptText((stored.body as { sealed: string }).sealed, credentials, key),
      ) as unknown)
    : stored.body;
  const headers = { ...stored.headers, 'idempotency-replayed': 'true' };
  return { status: stored.status, headers, body: body ?? undefined };
}

/**
 * A response with a secret belongs to one API key, so the fingerprint includes its credentials. It
 * also includes the spaces of a restricted key, which must not see responses from
 * other spaces, and the user whom a token is limited to.
 */
function computeFingerprint({ actor }: Ctx, request: KeyedRequest): Uint8Array {
  const { route, url, inputHeaders, credentials } = request;
  const content = request.content();
  if (content === null) throw new Error('the request was not read to its end');
  const spaces = actor.spaces === null ? '' : `${[...actor.spaces].sort().join()}\n`;
  const user = actor.user === null ? '' : `user ${actor.user}\n`;
  const secret = route.secretResponse ? credentials : '';
  return createHash('sha256')
    .update(`${route.method} ${url}\n${secret}\n${inputHeaders}${spaces}${user}`)
    .update(content)
    .digest();
}
