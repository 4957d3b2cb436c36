import { releaseLease, renewLease } from '../../database/index.ts';
import { LeaseLost, LeaseRenewal } from '../../kernel/lease.ts';
import type { App, Ctx, TxCtx } from '../ctx.ts';
import { quantiseVector } from './model.ts';
import {
  acquireEncodingLease,
  encodingLeaseOf,
  filterProvisional,
  findAccountsToEncode,
  keepProvisional,
  listProvisional,
  replaceProvisional,
} from './store/provisional-vectors.ts';

/** Operations on provisional vectors, which the encoding worker replaces by final ones. */

export const accountsToEncode = ({ engine, clock }: App, limit: number): Promise<string[]> =>
  findAccountsToEncode(engine.db, clock.now(), limit);

/** Documents whose vector by the model is provisional, in the order in which they were written. */
export const listProvisionalDocuments = (
  { engine, actor }: Ctx,
  model: string,
  limit: number,
): Promise<string[]> => listProvisional(engine.db, actor.accountId, model, limit);

/** Of these documents, those whose vector by the model is provisional. */
export const filterProvisionalDocuments = (
  { engine, actor }: Ctx,
  model: string,
  ids: readonly string[],
): Promise<string[]> => filterProvisional(engine.db, actor.accountId, model, ids);

/** From the commit on, every search uses the final vectors. */
export function replaceProvisionalVectors(
  { journal, actor }: TxCtx,
  model: string,
  vectors: readonly { readonly id: string; readonly vector: Float32Array }[],
): void {
  if (vectors.length === 0) return;
  const { accountId } = actor;
  const rows = vectors.map(({ id, vector }) => ({ id, bytes: quantiseVector(vector) }));
  journal.addPositionedWrite([accountId], replaceProvisional(accountId, model, rows));
}

/** Keeps provisional vectors for good: there is no text to encode, or the model rejects it. */
export const keepProvisionalVectors = (
  { engine, actor }: Ctx,
  model: string,
  ids: readonly string[],
): Promise<void> => keepProvisional(engine.db, actor.accountId, model, ids);

/** How long others wait for a process that stopped without releasing its lease. */
const leaseMs = 15_000;
const renewMs = 5_000;

/** The exclusive right to encode the texts of an account, renewed until it is disposed. */
class EncodingLease implements AsyncDisposable {
  readonly #app: App;
  readonly #accountId: string;
  readonly #holder: string;
  readonly #renewal: LeaseRenewal;

  constructor(app: App, accountId: string, holder: string) {
    this.#app = app;
    this.#accountId = accountId;
    this.#holder = holder;
    this.#renewal = new LeaseRenewal(app.clock, {
      intervalMs: renewMs,
      renew: async () => {
        const lease = { holder, until: leaseExpiry(app) };
        if (!(await renewLease(app.engine.db, encodingLeaseOf(accountId), lease)))
          throw new LeaseLost();
      },
      onError: (error) => {
        app.log.warn({ err: error }, 'encoding lease renewal failed; retrying');
      },
    });
  }

  /** Aborted when another process acquires the lease. */
  get lost(): AbortSignal {
    return this.#renewal.lost;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#renewal[Symbol.asyncDispose]();
    try {
      await releaseLease(this.#app.engine.db, encodingLeaseOf(this.#accountId), this.#holder);
    } catch (error) {
      this.#app.log.warn({ err: error }, 'encoding lease release failed; it will expire');
    }
  }
}

const leaseExpiry = ({ clock }: App): Date => new Date(clock.now().getTime() + leaseMs);

/** Null if another process encodes the account's texts. */
export async function leaseEncoding(
  app: App,
  accountId: string,
  holder: string,
): Promise<EncodingLease | null> {
  const lease = { holder, until: leaseExpiry(app) };
  const { engine, clock } = app;
  if (!(await acquireEncodingLease(engine.db, accountId, lease, clock.now()))) return null;
  return new EncodingLease(app, accountId, holder);
}
