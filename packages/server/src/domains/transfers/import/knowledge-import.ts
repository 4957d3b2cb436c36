import type { ArchiveRecord } from '@mneme/contract';
import {
  type AssertionRecord,
  type EntityRecord,
  importAssertions,
  importEntities,
  importMentions,
} from '../../graph/index.ts';
import type { ImportOutcome } from '../../import-outcome.ts';
import type { BatchOptions, ImportScope } from './import-scope.ts';

/** Entities, and what memories mention and state. */
export class KnowledgeImport {
  readonly #scope: ImportScope;
  /** Entities that were merged: their targets may come later. */
  readonly #merged: ArchiveRecord<'entities'>[] = [];

  constructor(scope: ImportScope) {
    this.#scope = scope;
  }

  async importEntities(
    records: readonly ArchiveRecord<'entities'>[],
    options: BatchOptions,
  ): Promise<void> {
    const isMerged = (record: ArchiveRecord<'entities'>) => record.merged_into !== null;
    this.#merged.push(...records.filter(isMerged));
    const others = records.filter((record) => !isMerged(record));
    await this.#storeEntities(others, options);
  }

  importMentions(
    records: readonly ArchiveRecord<'mentions'>[],
    options: BatchOptions,
  ): Promise<void> {
    return this.#scope.inTransaction(options, (inTx) =>
      this.#scope.each(
        records.map((record) => ({ ...record, id: record.memory_id })),
        (record) => {
          const memory = this.#statingMemory(record.memory_id);
          if (typeof memory !== 'object') return memory;
          const entity_id = this.#scope.entities.get(record.entity_id);
          return entity_id === null
            ? 'entity_missing'
            : { ...record, memory_id: memory.id, entity_id };
        },
        (all) => importMentions(inTx, all, this.#scope.optionsOf(options)),
      ),
    );
  }

  importAssertions(
    records: readonly ArchiveRecord<'assertions'>[],
    options: BatchOptions,
  ): Promise<void> {
    return this.#scope.inTransaction(options, async (inTx) => {
      const spaces = await this.#scope.spacesOf(inTx, records);
      return this.#scope.each(
        records,
        (record) => this.#toAssertion(record, spaces.get(record.space_id)),
        (all) => importAssertions(inTx, all, this.#scope.optionsOf(options)),
      );
    });
  }

  /** Entities that were merged into others, whose ids are known by now. */
  async finishEntities(nextOptions: () => BatchOptions): Promise<void> {
    const merged = this.#merged.splice(0);
    for (let from = 0; from < merged.length; from += 100)
      await this.#storeEntities(merged.slice(from, from + 100), nextOptions());
  }

  async #storeEntities(
    records: readonly ArchiveRecord<'entities'>[],
    options: BatchOptions,
  ): Promise<void> {
    await this.#scope.inTransaction(options, async (inTx) => {
      const spaces = await this.#scope.spacesOf(inTx, records);
      const ids: string[] = [];
      const outcomes = await this.#scope.each(
        records,
        (record) => this.#toEntity(record, spaces.get(record.space_id)),
        async (all) => {
          const imported = await importEntities(inTx, all, this.#scope.optionsOf(options));
          ids.push(...imported.map(({ id }) => id));
          return imported.map(({ outcome }) => outcome);
        },
      );
      let at = 0;
      for (const { id, outcome } of outcomes)
        this.#scope.entities.set(id, outcome === 'space_missing' ? null : (ids[at++] ?? null));
      return outcomes;
    });
  }

  #toEntity(record: ArchiveRecord<'entities'>, space_id: string | null | undefined) {
    if (space_id === undefined) return 'space_missing' as const;
    const { map_users } = this.#scope.request;
    const user = /^user:(.*)$/s.exec(record.speaker ?? '')?.[1];
    const speaker = user === undefined ? record.speaker : `user:${map_users[user] ?? user}`;
    // Somebody whose memories give no name is known by the id.
    const nameOf = (name: string): string => (name === user ? (map_users[user] ?? user) : name);
    const nameType = (type: string): string =>
      type === `speaker ${record.speaker}` ? `speaker ${speaker}` : type;
    return {
      ...record,
      account_id: this.#scope.ctx.actor.accountId,
      id: this.#scope.entities.ownId(record.id),
      space_id,
      name: nameOf(record.name),
      type: record.type as EntityRecord['type'],
      speaker,
      merged_into: record.merged_into && this.#scope.entities.get(record.merged_into),
      names: record.names.map(({ name, type, is_manual }) => {
        return { name: nameOf(name), type: nameType(type), is_manual };
      }),
      changes: record.changes.map((change, i) => ({
        ...change,
        id: this.#scope.ids.ownId(`${record.id.slice(0, 30)}${String(i).padStart(6, '0')}`),
      })),
    };
  }

  /** The memory whose statements these are; a memory that was here keeps its own. */
  #statingMemory(id: string): { readonly id: string } | ImportOutcome {
    const known = this.#scope.memories.get(id);
    if (known === null) return 'memory_missing';
    if (this.#scope.memories.isOther(id)) return 'duplicate';
    return this.#scope.newer.has(id) ? 'newer_in_account' : { id: known };
  }

  #toAssertion(
    record: ArchiveRecord<'assertions'>,
    space_id: string | null | undefined,
  ): AssertionRecord | ImportOutcome {
    if (space_id === undefined) return 'space_missing';
    const memory = record.memory_id === null ? null : this.#statingMemory(record.memory_id);
    if (typeof memory === 'string') return memory;
    const subject_id = this.#scope.entities.get(record.subject_id);
    const object_id = record.object_id === null ? null : this.#scope.entities.get(record.object_id);
    if (subject_id === null || (record.object_id !== null && object_id === null))
      return 'entity_missing';
    const id = this.#scope.ids.ownId(record.id);
    return { ...record, id, space_id, subject_id, object_id, memory_id: memory?.id ?? null };
  }
}
