import { metrics } from '../../../kernel/metrics/metrics.ts';
import { perApp } from '../../../kernel/per-app.ts';
import type { App } from '../../ctx.ts';
import { ModelChanged } from '../account-models.ts';
import { indexCache } from '../index-cache.ts';
import {
  decodeSearch,
  encodeOutcome,
  type ForwardedOutcome,
  type ForwardedSearch,
  isForwardable,
} from './forwarded-search.ts';
import { frameResponse } from './response-frame.ts';
import { searchAffinity } from './search-affinity.ts';
import { digestOf, type SignedSearch, UsedNonces, verifySearch } from './search-signature.ts';

const usedNonces = perApp<App, UsedNonces>(() => new UsedNonces());

/** What a valid signature says of a search whose body is still to be read; null: it is not. */
export function verifyForwardedSearch(app: App, header: unknown): SignedSearch | null {
  const identity = searchAffinity.of(app).identity;
  const { id: own = '', key = new Uint8Array(), nowMs = 0 } = identity ?? {};
  const signed =
    identity === null || typeof header !== 'string'
      ? null
      : verifySearch(key, header, { own, nowMs });
  if (signed === null) countOutcome(app, 'rejected');
  return signed;
}

/**
 * Runs the search of a peer on the index of this process, and never forwards it again. Null if the
 * body is another one than the signature is for, or was sent before. The result ends with the
 * response.
 */
export function runForwardedSearch(
  app: App,
  signed: SignedSearch,
  body: Uint8Array,
): { readonly response: AsyncGenerator<Uint8Array>; readonly done: Promise<unknown> } | null {
  const identity = searchAffinity.of(app).identity;
  const isNew =
    identity !== null &&
    digestOf(body) === signed.digest &&
    usedNonces.of(app).use(signed.nonce, identity.nowMs);
  if (!isNew) {
    countOutcome(app, 'rejected');
    return null;
  }
  const outcome = runDecoded(app, signed, body).then(encodeOutcome);
  const frame = { clock: app.clock, key: identity.key, nonce: signed.nonce };
  return { response: frameResponse(frame, outcome), done: outcome };
}

async function runDecoded(
  app: App,
  { accountId }: SignedSearch,
  body: Uint8Array,
): Promise<ForwardedOutcome> {
  try {
    const search = decodeSearch(body);
    if (search.request.accountId !== accountId || !isForwardable(search.request)) {
      throw new Error('a forwarded search is not the one that was signed');
    }
    const answer = await runHere(app, search);
    countOutcome(app, 'answered');
    return { status: 'answered', answer };
  } catch (error) {
    if (error instanceof ModelChanged) {
      countOutcome(app, 'answered');
      return { status: 'model_changed', model: error.model };
    }
    app.log.warn({ err: error }, 'forwarded search failed');
    countOutcome(app, 'failed');
    return { status: 'failed' };
  }
}

function runHere(app: App, { request, model, isIfLoaded }: ForwardedSearch) {
  const cache = indexCache.of(app);
  return isIfLoaded && model !== undefined
    ? cache.queryHereIfLoaded(request, model)
    : cache.queryHere(request, model);
}

const countOutcome = (app: App, outcome: 'answered' | 'failed' | 'rejected'): void =>
  metrics.of(app).count('mneme_searches_for_peers_total', { outcome });
