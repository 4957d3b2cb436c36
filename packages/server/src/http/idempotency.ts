import { createHash } from 'node:crypto';
import { limits, type Route } from '@mneme/contract';
import type { FastifyRequest } from 'fastify';
import type { Ctx } from '../domains/ctx.ts';
import type { Tx } from '../engine/index.ts';
import { AppError, fieldError } from '../kernel/errors.ts';
import { openText, sealText } from '../kernel/sealed.ts';
import { service } from '../kernel/service.ts';
import { findOutcome, keepOutcome, OutcomeExists } from '../work/outcomes.ts';
import { type Final, finalOf } from './answer.ts';
import { asAppError, errorAnswer } from './errors.ts';

const keptMs = 24 * 3_600_000;

/** Keys whose first request runs in this process; across processes the table's key decides. */
const running = service<Ctx, Set<string>>(() => new Set());

interface KeyedRequest {
  readonly route: Route;
  readonly key: string;
  readonly url: string;
  readonly rawBody: Uint8Array;
  /** The Authorization header: an outcome that holds a secret is sealed with it. */
  readonly credentials: string;
}

/**
 * Runs a request once per Idempotency-Key. The outcome is written in the verb's own transaction
 * (ctx.seal): effect and outcome are both there after a crash, or neither. Throws 409
 * idempotency_key_reused and idempotency_in_progress.
 */
export async function once(
  ctx: Ctx,
  route: Route,
  request: FastifyRequest,
  run: (ctx: Ctx) => Promise<unknown>,
): Promise<Final> {
  const keyed = keyedRequest(route, request);
  const known = await replay(ctx, keyed);
  if (known) return known;
  const token = `${ctx.actor.accountId}:${keyed.key}`;
  const busy = running.of(ctx);
  if (busy.has(token)) throw new AppError('idempotency_in_progress');
  busy.add(token);
  try {
    return await runAndKeep(ctx, keyed, run, (error) => errorAnswer(asAppError(error), request));
  } finally {
    busy.delete(token);
  }
}

/** Throws 422 validation_error for a key that cannot be kept. */
function keyedRequest(route: Route, { headers, url, rawBody }: FastifyRequest): KeyedRequest {
  const key = String(headers['idempotency-key']);
  const max = limits.idempotencyKeyCharactersMax;
  if (key.length < 1 || key.length > max || !/^[\x20-\x7e]+$/.test(key)) {
    const message = `must be 1 to ${max} printable ASCII characters`;
    throw fieldError('Idempotency-Key', { code: 'invalid_format', message });
  }
  const credentials = headers.authorization ?? '';
  return { route, key, url, rawBody: rawBody ?? new Uint8Array(), credentials };
}

async function runAndKeep(
  ctx: Ctx,
  request: KeyedRequest,
  run: (ctx: Ctx) => Promise<unknown>,
  refusal: (error: unknown) => Final,
): Promise<Final> {
  const { route } = request;
  let sealed = false;
  try {
    const result = await run({
      ...ctx,
      seal: async (tx, value) => {
        await keep(ctx, tx, request, finalOf(route, value));
        sealed = true;
      },
    });
    if (!sealed) throw new Error(`${route.id} is idempotent but opened no transaction`);
    return finalOf(route, result);
  } catch (error) {
    // The same request may have run on another process meanwhile. Its outcome stands: ours was
    // taken back, or refused because of what the other one stored.
    const theirs = await replay(ctx, request);
    if (theirs) return theirs;
    if (error instanceof OutcomeExists) {
      throw new AppError('idempotency_in_progress');
    }
    const final = refusal(error);
    if (isFinal(final)) {
      await ctx.engine
        .transaction((tx) => keep(ctx, tx, request, final))
        .catch((late: unknown) => {
          // Kept by another process in this very moment; a refusal had no effect to keep.
          if (!(late instanceof OutcomeExists)) throw late;
        });
    }
    throw error;
  }
}

/** A 5xx may be tried again, and so may a 429, when its time has come. */
const isFinal = ({ status }: Final): boolean => status < 500 && status !== 429;

async function keep(ctx: Ctx, tx: Tx, request: KeyedRequest, final: Final): Promise<void> {
  const { key, route, credentials } = request;
  const now = ctx.clock.now();
  const text = JSON.stringify(final.body ?? null);
  const body = route.secretAnswer
    ? { sealed: sealText(text, credentials, key, ctx.ids.bytes(12)) }
    : final.body;
  const outcome = { ...final, body, fingerprint: fingerprintOf(ctx, request) };
  const expired = new Date(now.getTime() - keptMs);
  await keepOutcome(tx, ctx.actor.accountId, key, outcome, { now, expired });
}

async function replay(ctx: Ctx, request: KeyedRequest): Promise<Final | null> {
  const { key, route, credentials } = request;
  const since = new Date(ctx.clock.now().getTime() - keptMs);
  const outcome = await findOutcome(ctx.engine.db, ctx.actor.accountId, key, since);
  if (!outcome) return null;
  if (!Buffer.from(outcome.fingerprint).equals(fingerprintOf(ctx, request))) {
    throw new AppError('idempotency_key_reused');
  }
  const body = route.secretAnswer
    ? (JSON.parse(
        openText((outcome.body as { sealed: string }).sealed, credentials, key),
      ) as unknown)
    : outcome.body;
  const headers = { ...outcome.headers, 'idempotency-replayed': 'true' };
  return { status: outcome.status, headers, body: body ?? undefined };
}

/**
 * What a secret answers belongs to one key alone, so its credentials are part of the request; and
 * so are the spaces that a key is limited to: it is not told what happened in others.
 */
function fingerprintOf({ actor }: Ctx, request: KeyedRequest): Uint8Array {
  const { route, url, rawBody, credentials } = request;
  const spaces = actor.spaces === null ? '' : `${[...actor.spaces].sort().join()}\n`;
  return createHash('sha256')
    .update(`${route.method} ${url}\n${route.secretAnswer ? credentials : ''}\n${spaces}`)
    .update(rawBody)
    .digest();
}
