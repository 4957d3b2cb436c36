import { type Ctx, type TxCtx, withTransaction } from '../../ctx.ts';
import type { ImportOptions, ImportOutcome } from '../../import-outcome.ts';
import { IdMap } from './id-map.ts';
import type { ImportRequest } from './import-state.ts';
import { SpaceMap } from './space-map.ts';

/** A record with its id in the archive, and what became of it. */
export interface RecordOutcome {
  readonly id: string;
  readonly outcome: ImportOutcome;
}

/** Runs in the transaction that stores a batch. */
type SaveBatch = (inTx: TxCtx, outcomes: readonly RecordOutcome[]) => Promise<void>;

export interface BatchOptions {
  /** Decides without writing: in a dry run, and for batches that an earlier run has stored. */
  readonly isDryRun: boolean;
  readonly save: SaveBatch;
}

/** What the import of an account knows: its ids, and what it was asked for. */
export class ImportScope {
  readonly ctx: Ctx;
  readonly request: ImportRequest;
  readonly spaces: SpaceMap;
  readonly memories: IdMap;
  readonly sessions: IdMap;
  readonly entities: IdMap;
  readonly clusters: IdMap;
  /** Of records that nothing else refers to. */
  readonly ids: IdMap;
  /** Memories that stay as they are here: what the archive's version states is not theirs. */
  readonly newer = new Set<string>();

  constructor(ctx: Ctx, sourceAccountId: string, request: ImportRequest) {
    const createMap = () => new IdMap(sourceAccountId, ctx.actor.accountId);
    this.ctx = ctx;
    this.request = request;
    this.memories = createMap();
    this.sessions = createMap();
    this.entities = createMap();
    this.clusters = createMap();
    this.ids = createMap();
    this.spaces = new SpaceMap(createMap(), request.map_spaces);
  }

  optionsOf({ isDryRun }: BatchOptions): ImportOptions {
    return { isDryRun, appliesDeletions: this.request.apply_deletions };
  }

  /** A dry run opens a transaction as well, for one view of the account. */
  async inTransaction(
    options: BatchOptions,
    fn: (inTx: TxCtx) => Promise<readonly RecordOutcome[]>,
  ): Promise<void> {
    await withTransaction(this.ctx, async (inTx) => options.save(inTx, await fn(inTx)));
  }

  /** Maps records to the ids of the account, and stores those that can be mapped. */
  async each<R extends { readonly id: string }, T>(
    records: readonly R[],
    map: (record: R) => T | ImportOutcome,
    store: (mapped: T[]) => Promise<readonly ImportOutcome[]>,
  ): Promise<RecordOutcome[]> {
    const mapped = records.map(map);
    const known = mapped.filter((one): one is Exclude<typeof one, ImportOutcome> => {
      return typeof one !== 'string';
    });
    const outcomes = known.length > 0 ? await store(known as T[]) : [];
    const all = mergeOutcomes(mapped, outcomes);
    return records.map(({ id }, i) => ({ id, outcome: all[i] ?? 'unchanged' }));
  }

  async spacesOf(
    inTx: TxCtx,
    records: readonly { readonly space_id: string | null }[],
  ): Promise<Map<string | null, string | null | undefined>> {
    const spaces = new Map<string | null, string | null | undefined>();
    for (const { space_id: id } of records)
      if (!spaces.has(id)) spaces.set(id, await this.spaces.get(inTx, id));
    return spaces;
  }
}

/** The outcomes of all records: those decided by the mapping, and those of the store in between. */
export function mergeOutcomes(
  mapped: readonly unknown[],
  stored: readonly ImportOutcome[],
): ImportOutcome[] {
  let at = 0;
  return mapped.map((one) =>
    typeof one === 'string' ? (one as ImportOutcome) : (stored[at++] ?? 'unchanged'),
  );
}
