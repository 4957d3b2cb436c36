import type { ArchiveKind, ArchiveRecord, ErasureKind } from '@mneme/contract';
import {
  findClusters,
  importClusterMembers,
  importClusters,
  removeCluster,
} from '../../clusters/index.ts';
import { type Ctx, type TxCtx, withTransaction } from '../../ctx.ts';
import {
  type AssertionRecord,
  type EntityRecord,
  importAssertions,
  importEntities,
  importMentions,
} from '../../graph/index.ts';
import type { ImportOptions, ImportOutcome } from '../../import-outcome.ts';
import {
  findImportedRecordings,
  importInterpretations,
  importSegments,
  importTranscripts,
} from '../../media/index.ts';
import { importMemories, importMemoryErasures, type MemoryToImport } from '../../memories/index.ts';
import {
  eraseRelationship,
  findRelationships,
  importRelationships,
} from '../../relationships/index.ts';
import {
  findSession,
  importSessions,
  lockNextOrdinals,
  reapplySessionDeletion,
} from '../../sessions/index.ts';
import { IdMap } from './id-map.ts';
import type { ImportRequest } from './import-state.ts';
import { SpaceMap } from './space-map.ts';

/** A record with its id in the archive, and what became of it. */
export interface RecordOutcome {
  readonly id: string;
  readonly outcome: ImportOutcome;
}

/** Runs in the transaction that stores a batch. */
export type SaveBatch = (inTx: TxCtx, outcomes: readonly RecordOutcome[]) => Promise<void>;

export interface BatchOptions {
  /** Decides without writing: in a dry run, and for batches that an earlier run has stored. */
  readonly isDryRun: boolean;
  readonly save: SaveBatch;
}

type Importer<K extends ArchiveKind> = (
  records: readonly ArchiveRecord<K>[],
  options: BatchOptions,
) => Promise<void>;

/** Imports the records of one account of an archive into an account, batch by batch, in order. */
export class AccountImport {
  readonly ctx: Ctx;
  readonly #request: ImportRequest;
  readonly #jobId: string;
  readonly #keyId: string | null;
  readonly #spaces: SpaceMap;
  readonly #memories: IdMap;
  readonly #sessions: IdMap;
  readonly #entities: IdMap;
  readonly #clusters: IdMap;
  readonly #ids: IdMap;
  /** Memories that stay as they are here: what the archive's version states is not theirs. */
  readonly #newer = new Set<string>();
  /** Entities that were merged: their targets may come later. */
  readonly #merged: ArchiveRecord<'entities'>[] = [];
  /** Memories that a dry run has counted. */
  #counted = 0;

  constructor(
    ctx: Ctx,
    sourceAccountId: string,
    job: { readonly id: string; readonly keyId: string | null; readonly request: ImportRequest },
  ) {
    const { accountId } = ctx.actor;
    const createMap = () => new IdMap(sourceAccountId, accountId);
    this.ctx = ctx;
    this.#request = job.request;
    this.#jobId = job.id;
    this.#keyId = job.keyId;
    this.#memories = createMap();
    this.#sessions = createMap();
    this.#entities = createMap();
    this.#clusters = createMap();
    this.#ids = createMap();
    this.#spaces = new SpaceMap(createMap(), job.request.map_spaces);
  }

  import<K extends ArchiveKind>(
    kind: K,
    records: readonly ArchiveRecord<K>[],
    options: BatchOptions,
  ): Promise<void> {
    return (this.#importers[kind] as Importer<K>)(records, options);
  }

  /** The id here of a memory of the archive; null if it was not imported. */
  memoryId = (id: string): string | null => this.#memories.get(id);

  /** The id that a memory of the archive gets when it is stored. */
  ownMemoryId = (id: string): string => this.#memories.ownId(id);

  /** Entities that were merged into others, whose ids are known by now. */
  async finishEntities(options: BatchOptions): Promise<void> {
    const merged = this.#merged.splice(0);
    for (let from = 0; from < merged.length; from += 100)
      await this.#storeEntities(merged.slice(from, from + 100), options);
  }

  readonly #importers: { readonly [K in ArchiveKind]: Importer<K> } = {
    spaces: (records, options) =>
      this.#inTransaction(options, async (inTx) => {
        const outcomes: RecordOutcome[] = [];
        for (const record of records) {
          const outcome = await this.#spaces.add(inTx, record, this.#optionsOf(options));
          outcomes.push({ id: record.id, outcome });
        }
        return outcomes;
      }),
    sessions: (records, options) => this.#importSessions(records, options),
    memories: (records, options) => this.#importMemories(records, options),
    relationships: (records, options) =>
      this.#inTransaction(options, (inTx) =>
        this.#each(records, this.#toRelationship, (all) =>
          importRelationships(inTx, all, this.#optionsOf(options)),
        ),
      ),
    entities: async (records, options) => {
      const isMerged = (record: ArchiveRecord<'entities'>) => record.merged_into !== null;
      this.#merged.push(...records.filter(isMerged));
      const others = records.filter((record) => !isMerged(record));
      await this.#storeEntities(others, options);
    },
    mentions: (records, options) =>
      this.#inTransaction(options, (inTx) =>
        this.#each(
          records.map((record) => ({ ...record, id: record.memory_id })),
          (record) => {
            const memory = this.#statingMemory(record.memory_id);
            if (typeof memory !== 'object') return memory;
            const entity_id = this.#entities.get(record.entity_id);
            return entity_id === null
              ? 'entity_missing'
              : { ...record, memory_id: memory.id, entity_id };
          },
          (all) => importMentions(inTx, all, this.#optionsOf(options)),
        ),
      ),
    assertions: (records, options) =>
      this.#inTransaction(options, async (inTx) => {
        const spaces = await this.#spacesOf(inTx, records);
        return this.#each(
          records,
          (record) => this.#toAssertion(record, spaces.get(record.space_id)),
          (all) => importAssertions(inTx, all, this.#optionsOf(options)),
        );
      }),
    clusters: (records, options) => this.#importClusters(records, options),
    cluster_members: (records, options) =>
      this.#inTransaction(options, (inTx) =>
        this.#each(
          records.map((record) => ({ ...record, id: record.memory_id })),
          (record) => {
            const cluster_id = this.#clusters.get(record.cluster_id);
            if (cluster_id === null) return 'cluster_missing';
            const memory_id = this.#memories.get(record.memory_id);
            return memory_id === null ? 'memory_missing' : { ...record, cluster_id, memory_id };
          },
          (all) => importClusterMembers(inTx, all, this.#optionsOf(options)),
        ),
      ),
    media: () => Promise.reject(new Error('files of recordings are imported one by one')),
    tombstones: (records, options) => this.#importErasures(records, options),
    transcripts: (records, options) =>
      this.#inTransaction(options, (inTx) =>
        this.#each(
          records.map((record) => ({ ...record, id: record.memory_id })),
          this.#ofRecording,
          (all) =>
            importTranscripts(
              inTx,
              all.map(({ id: _, ...record }) => record),
              this.#jobId,
              this.#optionsOf(options),
            ),
        ),
      ),
    interpretations: (records, options) =>
      this.#inTransaction(options, (inTx) =>
        this.#each(
          records.map((record) => ({ ...record, id: record.memory_id })),
          this.#ofRecording,
          (all) =>
            importInterpretations(
              inTx,
              all.map(({ id: _, ...record }) => record),
              this.#jobId,
              this.#optionsOf(options),
            ),
        ),
      ),
    segments: (records, options) => {
      const mapped = records.map(this.#ofRecording);
      const known = mapped.filter((one) => typeof one !== 'string');
      return importSegments(this.ctx, known, {
        ...this.#optionsOf(options),
        jobId: this.#jobId,
        beforeCommit: (inTx, outcomes) => {
          const all = merge(mapped, outcomes);
          return options.save(
            inTx,
            records.map(({ memory_id: id }, i) => ({ id, outcome: all[i] ?? 'memory_missing' })),
          );
        },
      });
    },
  };

  #optionsOf({ isDryRun }: BatchOptions): ImportOptions {
    return { isDryRun, appliesDeletions: this.#request.apply_deletions };
  }

  /** A dry run opens a transaction as well, for one view of the account. */
  async #inTransaction(
    options: BatchOptions,
    fn: (inTx: TxCtx) => Promise<readonly RecordOutcome[]>,
  ): Promise<void> {
    await withTransaction(this.ctx, async (inTx) => options.save(inTx, await fn(inTx)));
  }

  /** Maps records to the ids of the account, and stores those that can be mapped. */
  async #each<R extends { readonly id: string }, T>(
    records: readonly R[],
    map: (record: R) => T | ImportOutcome,
    store: (mapped: T[]) => Promise<readonly ImportOutcome[]>,
  ): Promise<RecordOutcome[]> {
    const mapped = records.map(map);
    const known = mapped.filter((one): one is Exclude<typeof one, ImportOutcome> => {
      return typeof one !== 'string';
    });
    const outcomes = known.length > 0 ? await store(known as T[]) : [];
    const all = merge(mapped, outcomes);
    return records.map(({ id }, i) => ({ id, outcome: all[i] ?? 'unchanged' }));
  }

  async #spacesOf(
    inTx: TxCtx,
    records: readonly { readonly space_id: string | null }[],
  ): Promise<Map<string | null, string | null | undefined>> {
    const spaces = new Map<string | null, string | null | undefined>();
    for (const { space_id: id } of records)
      if (!spaces.has(id)) spaces.set(id, await this.#spaces.get(inTx, id));
    return spaces;
  }

  async #importSessions(
    records: readonly ArchiveRecord<'sessions'>[],
    options: BatchOptions,
  ): Promise<void> {
    await this.#inTransaction(options, async (inTx) => {
      const spaces = await this.#spacesOf(inTx, records);
      const outcomes = await this.#each(
        records,
        (record) => {
          const space_id = spaces.get(record.space_id);
          if (space_id === undefined) return 'space_missing';
          const own = { account_id: inTx.actor.accountId, id: this.#sessions.ownId(record.id) };
          const created_by = record.is_private ? this.#keyId : null;
          return { ...record, ...own, space_id, created_by, memory_count: 0 };
        },
        (all) => importSessions(inTx, all, this.#optionsOf(options)),
      );
      const absent: readonly ImportOutcome[] = ['space_missing', 'erased_in_account'];
      for (const { id, outcome } of outcomes)
        if (absent.includes(outcome)) this.#sessions.set(id, null);
      return outcomes;
    });
  }

  async #importMemories(
    records: readonly ArchiveRecord<'memories'>[],
    options: BatchOptions,
  ): Promise<void> {
    const { ctx } = this;
    const spaces = await withTransaction(ctx, (inTx) => this.#spacesOf(inTx, records));
    const mapped = records.map((record) => this.#toMemory(record, spaces.get(record.space_id)));
    const known = mapped.filter((one) => typeof one !== 'string');
    const imported = await importMemories(ctx, known, {
      ...this.#optionsOf(options),
      countedBefore: this.#counted,
      nextOrdinals: lockNextOrdinals,
      beforeCommit: (inTx, all) => {
        const outcomes = merge(
          mapped,
          all.map(({ outcome }) => outcome),
        );
        return options.save(
          inTx,
          records.map(({ id }, i) => ({ id, outcome: outcomes[i] ?? 'space_missing' })),
        );
      },
    });
    let at = 0;
    for (const [i, { id }] of records.entries()) {
      const result = typeof mapped[i] === 'string' ? undefined : imported[at++];
      this.#memories.set(id, result?.id ?? null);
      if (result?.outcome === 'newer_in_account') this.#newer.add(id);
      if (result?.outcome === 'created' && options.isDryRun) this.#counted += 1;
    }
  }

  #toMemory(
    { has_statements: _, ...record }: ArchiveRecord<'memories'>,
    space_id: string | null | undefined,
  ): MemoryToImport | ImportOutcome {
    if (space_id === undefined) return 'space_missing';
    const session_id = record.session_id === null ? null : this.#sessions.get(record.session_id);
    const { map_users, map_agents, map_runs } = this.#request;
    const mapOwner = (map: Readonly<Record<string, string>>, name: string | null) =>
      name === null ? null : (map[name] ?? name);
    return {
      ...record,
      account_id: this.ctx.actor.accountId,
      id: this.#memories.ownId(record.id),
      space_id,
      user_id: mapOwner(map_users, record.user_id),
      agent_id: mapOwner(map_agents, record.agent_id),
      run_id: mapOwner(map_runs, record.run_id),
      session_id,
      session_ordinal: session_id === null ? null : record.session_ordinal,
      content_hash: record.content_hash === null ? null : Buffer.from(record.content_hash, 'hex'),
      revision: 1,
    };
  }

  readonly #toRelationship = (record: ArchiveRecord<'relationships'>) => {
    const source_id = this.#memories.get(record.source_id);
    const target_id = this.#memories.get(record.target_id);
    if (source_id === null || target_id === null) return 'memory_missing' as const;
    return {
      ...record,
      account_id: this.ctx.actor.accountId,
      id: this.#ids.ownId(record.id),
      source_id,
      target_id,
      inverse_id: record.inverse_id && this.#ids.ownId(record.inverse_id),
      pinned_memory_count: 0,
    };
  };

  async #storeEntities(
    records: readonly ArchiveRecord<'entities'>[],
    options: BatchOptions,
  ): Promise<void> {
    await this.#inTransaction(options, async (inTx) => {
      const spaces = await this.#spacesOf(inTx, records);
      const ids: string[] = [];
      const outcomes = await this.#each(
        records,
        (record) => this.#toEntity(record, spaces.get(record.space_id)),
        async (all) => {
          const imported = await importEntities(inTx, all, this.#optionsOf(options));
          ids.push(...imported.map(({ id }) => id));
          return imported.map(({ outcome }) => outcome);
        },
      );
      let at = 0;
      for (const { id, outcome } of outcomes)
        this.#entities.set(id, outcome === 'space_missing' ? null : (ids[at++] ?? null));
      return outcomes;
    });
  }

  #toEntity(record: ArchiveRecord<'entities'>, space_id: string | null | undefined) {
    if (space_id === undefined) return 'space_missing' as const;
    const { map_users } = this.#request;
    const user = /^user:(.*)$/s.exec(record.speaker ?? '')?.[1];
    const speaker = user === undefined ? record.speaker : `user:${map_users[user] ?? user}`;
    const nameType = (type: string): string =>
      type === `speaker ${record.speaker}` ? `speaker ${speaker}` : type;
    return {
      ...record,
      account_id: this.ctx.actor.accountId,
      id: this.#entities.ownId(record.id),
      space_id,
      type: record.type as EntityRecord['type'],
      speaker,
      merged_into: record.merged_into && this.#entities.get(record.merged_into),
      names: record.names.map((one) => ({ ...one, type: nameType(one.type) })),
      changes: record.changes.map((change, i) => ({
        ...change,
        id: this.#ids.ownId(`${record.id.slice(0, 30)}${String(i).padStart(6, '0')}`),
      })),
    };
  }

  /** The memory whose statements these are; a memory that was here keeps its own. */
  #statingMemory(id: string): { readonly id: string } | ImportOutcome {
    const known = this.#memories.get(id);
    if (known === null) return 'memory_missing';
    if (this.#memories.isOther(id)) return 'duplicate';
    return this.#newer.has(id) ? 'newer_in_account' : { id: known };
  }

  #toAssertion(
    record: ArchiveRecord<'assertions'>,
    space_id: string | null | undefined,
  ): AssertionRecord | ImportOutcome {
    if (space_id === undefined) return 'space_missing';
    const memory = record.memory_id === null ? null : this.#statingMemory(record.memory_id);
    if (typeof memory === 'string') return memory;
    const subject_id = this.#entities.get(record.subject_id);
    const object_id = record.object_id === null ? null : this.#entities.get(record.object_id);
    if (subject_id === null || (record.object_id !== null && object_id === null))
      return 'entity_missing';
    const id = this.#ids.ownId(record.id);
    return { ...record, id, space_id, subject_id, object_id, memory_id: memory?.id ?? null };
  }

  async #importClusters(
    records: readonly ArchiveRecord<'clusters'>[],
    options: BatchOptions,
  ): Promise<void> {
    await this.#inTransaction(options, async (inTx) => {
      const spaces = await this.#spacesOf(inTx, records);
      const ids: (string | null)[] = [];
      const outcomes = await this.#each(
        records,
        (record) => {
          const space_id = spaces.get(record.space_id);
          if (space_id === undefined) return 'space_missing';
          const id = this.#clusters.ownId(record.id);
          const memories = record.representatives?.flatMap((one) => this.memoryId(one) ?? []);
          return {
            ...record,
            account_id: inTx.actor.accountId,
            id,
            space_id,
            member_set_id: id,
            run_id: null,
            memory_count: 0,
            has_centroid: false,
            representatives: memories ?? null,
            revision: 1,
          };
        },
        async (all) => {
          const imported = await importClusters(inTx, all, this.#optionsOf(options));
          ids.push(...imported.map(({ id }) => id));
          return imported.map(({ outcome }) => outcome);
        },
      );
      let at = 0;
      for (const { id, outcome } of outcomes)
        this.#clusters.set(id, outcome === 'space_missing' ? null : (ids[at++] ?? null));
      return outcomes;
    });
  }

  async #importErasures(
    records: readonly ArchiveRecord<'tombstones'>[],
    options: BatchOptions,
  ): Promise<void> {
    await this.#inTransaction(options, async (inTx) => {
      const memories = records.filter(({ kind }) => kind === 'memory');
      const outcomes = await importMemoryErasures(
        inTx,
        memories.map(({ id, erased_at }) => ({ id: this.#memories.ownId(id), erased_at })),
        this.#optionsOf(options),
      );
      const results = new Map(memories.map((one, i) => [one, outcomes[i] ?? 'unchanged']));
      for (const one of records)
        if (one.kind !== 'memory') results.set(one, await this.#erase(inTx, one, options));
      return records.map((one) => ({ id: one.id, outcome: results.get(one) ?? 'unchanged' }));
    });
  }

  async #erase(
    inTx: TxCtx,
    { kind, id }: ArchiveRecord<'tombstones'>,
    options: BatchOptions,
  ): Promise<ImportOutcome> {
    const erasable = erasableKinds[kind];
    const ownId = this.#ids.ownId(id);
    if (!(await erasable?.exists(inTx, ownId))) return 'unchanged';
    if (!this.#request.apply_deletions) return 'deletion_not_applied';
    if (!options.isDryRun) await erasable?.erase(inTx, ownId);
    return 'updated';
  }

  readonly #ofRecording = <R extends { readonly memory_id: string }>(record: R) => {
    const memory_id = this.#memories.get(record.memory_id);
    return memory_id === null ? ('memory_missing' as const) : { ...record, memory_id };
  };

  /** Which of these recordings of the archive have their file here. */
  async findRecordings(ids: readonly string[]): Promise<Set<string>> {
    const own = new Map(ids.flatMap((id) => [[this.#memories.get(id) ?? '', id] as const]));
    const found = await findImportedRecordings(this.ctx, [...own.keys()].filter(Boolean));
    return new Set([...found].flatMap((id) => own.get(id) ?? []));
  }
}

interface ErasableKind {
  readonly exists: (inTx: TxCtx, id: string) => Promise<boolean>;
  readonly erase: (inTx: TxCtx, id: string) => Promise<unknown>;
}

/** Memories are erased in batches. */
const erasableKinds: Readonly<Partial<Record<ErasureKind, ErasableKind>>> = {
  relationship: {
    exists: async ({ tx, actor }, id) =>
      (await findRelationships(tx, actor.accountId, [id])).length > 0,
    erase: eraseRelationship,
  },
  session: {
    exists: async ({ tx, actor }, id) => (await findSession(tx, actor.accountId, id)) !== undefined,
    erase: reapplySessionDeletion,
  },
  cluster: {
    exists: async ({ tx, actor }, id) => (await findClusters(tx, actor.accountId, [id])).length > 0,
    erase: (inTx, id) => removeCluster(inTx, id, null),
  },
};

/** The outcomes of all records: those decided by the mapping, and those of the store in between. */
function merge(mapped: readonly unknown[], stored: readonly ImportOutcome[]): ImportOutcome[] {
  let at = 0;
  return mapped.map((one) =>
    typeof one === 'string' ? (one as ImportOutcome) : (stored[at++] ?? 'unchanged'),
  );
}
