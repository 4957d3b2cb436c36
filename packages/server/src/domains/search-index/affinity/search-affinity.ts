import {
  type LiveProcess,
  recordHeartbeat,
  removeLiveProcess,
} from '../../../instance/live-processes.ts';
import { deriveKey } from '../../../kernel/encryption.ts';
import { AppError } from '../../../kernel/errors.ts';
import { metrics } from '../../../kernel/metrics/metrics.ts';
import { perApp } from '../../../kernel/per-app.ts';
import { activeSpan, withSpan } from '../../../kernel/tracing.ts';
import { createPeerClient, type PeerClient, PeerFailed } from '../../../providers/peers/index.ts';
import type { App } from '../../ctx.ts';
import { ModelChanged } from '../account-models.ts';
import {
  decodeOutcome,
  encodeSearch,
  type ForwardedOutcome,
  type ForwardedSearch,
  forwardedSearchPath,
  forwardedSearchType,
  isForwardable,
  responseBytesMax,
  type SearchAnswer,
  signatureHeader,
} from './forwarded-search.ts';
import { LivePeers, liveMs } from './live-peers.ts';
import { PeerAvailability } from './peer-availability.ts';
import { preferredProcess } from './rendezvous.ts';
import { openResponse } from './response-frame.ts';
import { createNonce, digestOf, signSearch } from './search-signature.ts';

/**
 * A peer confirms at once that it runs a search, and again each second: a load may take minutes,
 * but a process that hangs is noticed.
 */
const clientLimits = { responseMs: 1_000, idleMs: 3_000, responseBytesMax };

/** The peer could not take the search; that says nothing about the next one. */
class PeerRefused extends Error {
  override readonly name = 'PeerRefused';
}

/**
 * Searches of an account prefer one of the live processes, so that not all of them load its index.
 * Whatever goes wrong, the caller runs the search itself: any process can answer any search.
 */
class SearchAffinity {
  readonly #app: App;
  readonly #key: Uint8Array;
  readonly #peers: LivePeers;
  readonly #availability: PeerAvailability;
  readonly #client: PeerClient;
  /** Null: nobody forwards to this process. */
  #own: LiveProcess | null = null;
  #isObserving = false;
  #isLeaving = false;
  #isClosed = false;

  constructor(app: App) {
    const { clock, log, engine, secretKey, disposables } = app;
    this.#app = app;
    this.#key = deriveKey(secretKey, 'forwarded search');
    this.#client = createPeerClient(clock, clientLimits);
    this.#availability = new PeerAvailability({
      clock,
      onAvoid: (id, error) =>
        log.warn({ err: error, peer: id, url: this.#urlOf(id) }, 'search peer avoided'),
      onReturn: (id) => log.info({ peer: id, url: this.#urlOf(id) }, 'search peer returned'),
    });
    // Another V8 may not read the messages of this one.
    const release = `${app.version} V8 ${process.versions.v8}`;
    this.#peers = new LivePeers({
      clock,
      log,
      beat: () => recordHeartbeat(engine.db, { own: this.#own, release, liveMs }),
      onChange: (others) => this.#availability.keepOnly(others.map(({ id }) => id)),
    });
    disposables.defer(async () => {
      await this.leave();
      this.#isClosed = true;
      this.#client[Symbol.dispose]();
    });
  }

  /** From now on others forward searches to this process, which listens. */
  join(): void {
    const { peerUrl } = this.#app.config.index;
    if (peerUrl === null) return;
    this.#own = { id: this.#app.ids.uuid(), url: peerUrl };
    this.observe();
  }

  /** From now on this process forwards searches to others. */
  observe(): void {
    if (this.#app.config.index.peerUrl === null || this.#isObserving) return;
    this.#isObserving = true;
    this.#peers.start();
  }

  /** The process stops: others do not forward to it any more, and those that have get answers. */
  async leave(): Promise<void> {
    const isFirst = !this.#isLeaving;
    this.#isLeaving = true;
    await this.#peers.stop();
    if (this.#own === null || !isFirst) return;
    await removeLiveProcess(this.#app.engine.db, this.#own.id).catch((error: unknown) =>
      this.#app.log.warn({ err: error }, 'removal of the live process failed'),
    );
  }

  /** Live servers that divide the searches; null: no division. */
  get liveProcesses(): number | null {
    if (!this.#isObserving) return null;
    return this.#peers.others.length + this.#ownIds.length;
  }

  /** For verifying searches of peers; null: this process accepts none. */
  get identity(): { readonly id: string; readonly key: Uint8Array; readonly nowMs: number } | null {
    const nowMs = this.#peers.databaseTimeMs;
    return this.#own === null || nowMs === null
      ? null
      : { id: this.#own.id, key: this.#key, nowMs };
  }

  /**
   * The answer of the process that the account prefers. Null: this process has to run the search,
   * because it is that process, or because the other one fails. Throws ModelChanged as the index
   * does, and an AppError once the client has disconnected.
   * @param requestEnd makes a signal that aborts the forwarded request
   */
  async forward(
    search: ForwardedSearch,
    requestEnd?: () => AbortSignal,
  ): Promise<{ readonly answer: SearchAnswer | null } | null> {
    const peer = this.#preferredPeer(search);
    const issuedMs = this.#peers.databaseTimeMs;
    const body = peer === null ? null : encodeSearch(search);
    if (peer === null || issuedMs === null || body === null) return null;
    this.#availability.beginAttempt(peer.id);
    const signal = requestEnd?.();
    const { accountId } = search.request;
    try {
      const outcome = await this.#send(peer, { accountId, issuedMs, body, signal });
      this.#availability.recordSuccess(peer.id);
      return this.#toAnswer(search, outcome);
    } catch (error) {
      if (error instanceof ModelChanged) throw error;
      return this.#handleFailure(peer, error, signal);
    }
  }

  #preferredPeer({ request }: ForwardedSearch): LiveProcess | null {
    const { others } = this.#peers;
    if (others.length === 0 || !isForwardable(request)) return null;
    const available = others.filter(({ id }) => this.#availability.isAvailable(id));
    const ids = [...available.map(({ id }) => id), ...this.#ownIds];
    const preferred = preferredProcess(request.accountId, ids);
    return available.find(({ id }) => id === preferred) ?? null;
  }

  /** Empty if no account prefers this process. */
  get #ownIds(): readonly string[] {
    return this.#own === null || this.#isLeaving ? [] : [this.#own.id];
  }

  #send(
    { id: target, url }: LiveProcess,
    { accountId, issuedMs, body, signal }: SignedBody,
  ): Promise<ForwardedOutcome> {
    return withSpan('forward search', { kind: 'client' }, async () => {
      const nonce = createNonce((count) => this.#app.ids.bytes(count));
      const signed = { target, accountId, issuedMs, nonce, digest: digestOf(body) };
      const traceparent = activeSpan()?.traceparent;
      const { status, body: response } = await this.#client.post({
        url: new URL(forwardedSearchPath, url),
        headers: {
          'content-type': forwardedSearchType,
          [signatureHeader]: signSearch(this.#key, signed),
          ...(traceparent === undefined ? {} : { traceparent }),
        },
        body,
        signal,
      });
      if (status === 503) throw new PeerRefused('the peer is at capacity or stops');
      if (status !== 200) throw new PeerFailed(`the peer responded with status ${status}`);
      const payload = openResponse(this.#key, nonce, response);
      if (payload === null) throw new PeerFailed('the response has no valid signature');
      return decodeOutcome(payload);
    });
  }

  #toAnswer(
    { request }: ForwardedSearch,
    outcome: ForwardedOutcome,
  ): { readonly answer: SearchAnswer | null } | null {
    if (outcome.status === 'failed') {
      this.#count('failed');
      return null;
    }
    this.#count('answered');
    if (outcome.status === 'model_changed') {
      throw new ModelChanged(request.accountId, outcome.model);
    }
    return { answer: outcome.answer };
  }

  #handleFailure({ id }: LiveProcess, error: unknown, signal: AbortSignal | undefined): null {
    const isAborted = signal?.aborted === true;
    if (isAborted || this.#isClosed || error instanceof PeerRefused) {
      this.#availability.recordNothing(id);
    } else this.#availability.recordFailure(id, error);
    this.#count(isAborted ? 'aborted' : error instanceof PeerRefused ? 'refused' : 'failed');
    // Only for the log: no client receives this response.
    if (isAborted) throw new AppError('invalid_request', { cause: error });
    return null;
  }

  #count(outcome: 'answered' | 'refused' | 'failed' | 'aborted'): void {
    metrics.of(this.#app).count('mneme_forwarded_searches_total', { outcome });
  }

  #urlOf(id: string): string | undefined {
    return this.#peers.others.find((other) => other.id === id)?.url;
  }
}

interface SignedBody {
  readonly accountId: string;
  readonly issuedMs: number;
  readonly body: Uint8Array;
  readonly signal: AbortSignal | undefined;
}

export const searchAffinity = perApp<App, SearchAffinity>((app) => new SearchAffinity(app));
