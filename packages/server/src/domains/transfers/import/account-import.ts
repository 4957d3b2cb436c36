import type { ArchiveKind, ArchiveRecord } from '@mneme/contract';
import { importClusterMembers, importClusters } from '../../clusters/index.ts';
import { type Ctx, withTransaction } from '../../ctx.ts';
import type { ImportOutcome } from '../../import-outcome.ts';
import {
  findImportedRecordings,
  importInterpretations,
  importSegments,
  importTranscripts,
} from '../../media/index.ts';
import { importMemories, type MemoryToImport } from '../../memories/index.ts';
import { importRelationships } from '../../relationships/index.ts';
import { importSessions, lockNextOrdinals } from '../../sessions/index.ts';
import { importErasures } from './erasure-import.ts';
import {
  type BatchOptions,
  ImportScope,
  mergeOutcomes,
  type RecordOutcome,
} from './import-scope.ts';
import type { ImportRequest } from './import-state.ts';
import { KnowledgeImport } from './knowledge-import.ts';

type Importer<K extends ArchiveKind> = (
  records: readonly ArchiveRecord<K>[],
  options: BatchOptions,
) => Promise<void>;

/** Imports the records of one account of an archive into an account, batch by batch, in order. */
export class AccountImport {
  readonly #scope: ImportScope;
  readonly #knowledge: KnowledgeImport;
  readonly #jobId: string;
  readonly #keyId: string | null;
  /** Memories that a dry run has counted. */
  #counted = 0;

  constructor(
    ctx: Ctx,
    sourceAccountId: string,
    job: { readonly id: string; readonly keyId: string | null; readonly request: ImportRequest },
  ) {
    this.#scope = new ImportScope(ctx, sourceAccountId, job.request);
    this.#knowledge = new KnowledgeImport(this.#scope);
    this.#jobId = job.id;
    this.#keyId = job.keyId;
  }

  get ctx(): Ctx {
    return this.#scope.ctx;
  }

  import<K extends ArchiveKind>(
    kind: K,
    records: readonly ArchiveRecord<K>[],
    options: BatchOptions,
  ): Promise<void> {
    return (this.#importers[kind] as Importer<K>)(records, options);
  }

  /** The id here of a memory of the archive; null if it was not imported. */
  memoryId = (id: string): string | null => this.#scope.memories.get(id);

  /** The id that a memory of the archive gets when it is stored. */
  ownMemoryId = (id: string): string => this.#scope.memories.ownId(id);

  /** Entities that were merged into others, whose ids are known by now. */
  finishEntities(nextOptions: () => BatchOptions): Promise<void> {
    return this.#knowledge.finishEntities(nextOptions);
  }

  readonly #importers: { readonly [K in ArchiveKind]: Importer<K> } = {
    spaces: (records, options) =>
      this.#scope.inTransaction(options, async (inTx) => {
        const outcomes: RecordOutcome[] = [];
        for (const record of records) {
          const outcome = await this.#scope.spaces.add(
            inTx,
            record,
            this.#scope.optionsOf(options),
          );
          outcomes.push({ id: record.id, outcome });
        }
        return outcomes;
      }),
    sessions: (records, options) => this.#importSessions(records, options),
    memories: (records, options) => this.#importMemories(records, options),
    relationships: (records, options) =>
      this.#scope.inTransaction(options, (inTx) =>
        this.#scope.each(records, this.#toRelationship, (all) =>
          importRelationships(inTx, all, this.#scope.optionsOf(options)),
        ),
      ),
    entities: (records, options) => this.#knowledge.importEntities(records, options),
    mentions: (records, options) => this.#knowledge.importMentions(records, options),
    assertions: (records, options) => this.#knowledge.importAssertions(records, options),
    clusters: (records, options) => this.#importClusters(records, options),
    cluster_members: (records, options) =>
      this.#scope.inTransaction(options, (inTx) =>
        this.#scope.each(
          records.map((record) => ({ ...record, id: record.memory_id })),
          (record) => {
            const cluster_id = this.#scope.clusters.get(record.cluster_id);
            if (cluster_id === null) return 'cluster_missing';
            const memory_id = this.#scope.memories.get(record.memory_id);
            return memory_id === null ? 'memory_missing' : { ...record, cluster_id, memory_id };
          },
          (all) => importClusterMembers(inTx, all, this.#scope.optionsOf(options)),
        ),
      ),
    media: () => Promise.reject(new Error('files of recordings are imported one by one')),
    tombstones: (records, options) => importErasures(this.#scope, records, options),
    transcripts: (records, options) =>
      this.#scope.inTransaction(options, (inTx) =>
        this.#scope.each(
          records.map((record) => ({ ...record, id: record.memory_id })),
          this.#ofRecording,
          (all) =>
            importTranscripts(
              inTx,
              all.map(({ id: _, ...record }) => record),
              this.#jobId,
              this.#scope.optionsOf(options),
            ),
        ),
      ),
    interpretations: (records, options) =>
      this.#scope.inTransaction(options, (inTx) =>
        this.#scope.each(
          records.map((record) => ({ ...record, id: record.memory_id })),
          this.#ofRecording,
          (all) =>
            importInterpretations(
              inTx,
              all.map(({ id: _, ...record }) => record),
              this.#jobId,
              this.#scope.optionsOf(options),
            ),
        ),
      ),
    segments: (records, options) => {
      const mapped = records.map(this.#ofRecording);
      const known = mapped.filter((one) => typeof one !== 'string');
      return importSegments(this.#scope.ctx, known, {
        ...this.#scope.optionsOf(options),
        jobId: this.#jobId,
        beforeCommit: (inTx, outcomes) => {
          const all = mergeOutcomes(mapped, outcomes);
          return options.save(
            inTx,
            records.map(({ memory_id: id }, i) => ({ id, outcome: all[i] ?? 'memory_missing' })),
          );
        },
      });
    },
  };

  async #importSessions(
    records: readonly ArchiveRecord<'sessions'>[],
    options: BatchOptions,
  ): Promise<void> {
    await this.#scope.inTransaction(options, async (inTx) => {
      const spaces = await this.#scope.spacesOf(inTx, records);
      const outcomes = await this.#scope.each(
        records,
        (record) => {
          const space_id = spaces.get(record.space_id);
          if (space_id === undefined) return 'space_missing';
          const own = {
            account_id: inTx.actor.accountId,
            id: this.#scope.sessions.ownId(record.id),
          };
          const created_by = record.is_private ? this.#keyId : null;
          return { ...record, ...own, space_id, created_by, memory_count: 0 };
        },
        (all) => importSessions(inTx, all, this.#scope.optionsOf(options)),
      );
      const absent: readonly ImportOutcome[] = ['space_missing', 'erased_in_account'];
      for (const { id, outcome } of outcomes)
        if (absent.includes(outcome)) this.#scope.sessions.set(id, null);
      return outcomes;
    });
  }

  async #importMemories(
    records: readonly ArchiveRecord<'memories'>[],
    options: BatchOptions,
  ): Promise<void> {
    const { ctx } = this;
    const spaces = await withTransaction(ctx, (inTx) => this.#scope.spacesOf(inTx, records));
    const mapped = records.map((record) => this.#toMemory(record, spaces.get(record.space_id)));
    const known = mapped.filter((one) => typeof one !== 'string');
    const imported = await importMemories(ctx, known, {
      ...this.#scope.optionsOf(options),
      countedBefore: this.#counted,
      nextOrdinals: lockNextOrdinals,
      beforeCommit: (inTx, all) => {
        const outcomes = mergeOutcomes(
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
      this.#scope.memories.set(id, result?.id ?? null);
      if (result?.outcome === 'newer_in_account') this.#scope.newer.add(id);
      if (result?.outcome === 'created' && options.isDryRun) this.#counted += 1;
    }
  }

  #toMemory(
    { has_statements: _, ...record }: ArchiveRecord<'memories'>,
    space_id: string | null | undefined,
  ): MemoryToImport | ImportOutcome {
    if (space_id === undefined) return 'space_missing';
    const session_id =
      record.session_id === null ? null : this.#scope.sessions.get(record.session_id);
    const { map_users, map_agents, map_runs } = this.#scope.request;
    const mapOwner = (map: Readonly<Record<string, string>>, name: string | null) =>
      name === null ? null : (map[name] ?? name);
    return {
      ...record,
      account_id: this.#scope.ctx.actor.accountId,
      id: this.#scope.memories.ownId(record.id),
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
    const source_id = this.#scope.memories.get(record.source_id);
    const target_id = this.#scope.memories.get(record.target_id);
    if (source_id === null || target_id === null) return 'memory_missing' as const;
    return {
      ...record,
      account_id: this.#scope.ctx.actor.accountId,
      id: this.#scope.ids.ownId(record.id),
      source_id,
      target_id,
      inverse_id: record.inverse_id && this.#scope.ids.ownId(record.inverse_id),
      pinned_memory_count: 0,
    };
  };

  async #importClusters(
    records: readonly ArchiveRecord<'clusters'>[],
    options: BatchOptions,
  ): Promise<void> {
    await this.#scope.inTransaction(options, async (inTx) => {
      const spaces = await this.#scope.spacesOf(inTx, records);
      const ids: (string | null)[] = [];
      const outcomes = await this.#scope.each(
        records,
        (record) => {
          const space_id = spaces.get(record.space_id);
          if (space_id === undefined) return 'space_missing';
          const id = this.#scope.clusters.ownId(record.id);
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
          const imported = await importClusters(inTx, all, this.#scope.optionsOf(options));
          ids.push(...imported.map(({ id }) => id));
          return imported.map(({ outcome }) => outcome);
        },
      );
      let at = 0;
      for (const { id, outcome } of outcomes)
        this.#scope.clusters.set(id, outcome === 'space_missing' ? null : (ids[at++] ?? null));
      return outcomes;
    });
  }

  readonly #ofRecording = <R extends { readonly memory_id: string }>(record: R) => {
    const memory_id = this.#scope.memories.get(record.memory_id);
    return memory_id === null ? ('memory_missing' as const) : { ...record, memory_id };
  };

  /** Which of these recordings of the archive have their file here. */
  async findRecordings(ids: readonly string[]): Promise<Set<string>> {
    const own = new Map(ids.flatMap((id) => [[this.#scope.memories.get(id) ?? '', id] as const]));
    const found = await findImportedRecordings(this.#scope.ctx, [...own.keys()].filter(Boolean));
    return new Set([...found].flatMap((id) => own.get(id) ?? []));
  }
}
