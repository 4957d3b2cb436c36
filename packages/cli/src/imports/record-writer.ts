import { createHash } from 'node:crypto';
import type { RedactionCounts } from '@mneme/contract/redaction';
import type { ArchiveInput, ArchiveSpool } from './archive-spool.ts';
import { ValueCleaner } from './clean-values.ts';
import { EntityWriter, toRelationMemory } from './entity-writer.ts';
import { IdSet } from './id-set.ts';
import type {
  ConversationItem,
  Item,
  LinkItem,
  MemoryItem,
  Owner,
  RelationItem,
  SkippedItem,
  SkipReason,
} from './items.ts';
import { deriveRecordId } from './record-ids.ts';
import { splitText } from './split-text.ts';

export interface ImportTarget {
  readonly format: string;
  /** Tells sources with the same ids apart. */
  readonly source: string;
  /** Of the account; null: its account level. */
  readonly spaceId: string | null;
  readonly userId: string | null;
  readonly contentBytesMax: number;
}

/** What was read of a source. */
export interface ReadReport {
  readonly conversations: number;
  readonly turns: number;
  readonly memories: number;
  readonly entities: number;
  readonly relations: number;
  readonly links: number;
  /** Texts that were stored in several parts. */
  readonly split: number;
}

interface Skips {
  count: number;
  readonly places: string[];
}

/** Places that a report shows for one reason. */
const placesMax = 100;
const tagsMax = 100;
const tagCharactersMax = 255;
const titleCharactersMax = 200;
const nameCharactersMax = 255;

const noReport = {
  conversations: 0,
  turns: 0,
  memories: 0,
  entities: 0,
  relations: 0,
  links: 0,
  split: 0,
};

/** Converts items to records of an archive, with ids that depend on the source only. */
export class RecordWriter {
  readonly #target: ImportTarget;
  readonly #spool: ArchiveSpool;
  readonly #cleaner = new ValueCleaner();
  readonly #entities: EntityWriter;
  readonly #known = new IdSet();
  readonly #counts = { ...noReport };
  readonly skips = new Map<SkipReason, Skips>();

  constructor(target: ImportTarget, spool: ArchiveSpool) {
    this.#target = target;
    this.#spool = spool;
    this.#entities = new EntityWriter(this.idOf, spool);
  }

  get report(): ReadReport {
    return { ...this.#counts, entities: this.#entities.count };
  }

  get redacted(): RedactionCounts {
    return this.#cleaner.redacted;
  }

  readonly idOf = (kind: string, ...parts: readonly string[]): string => {
    const { format, source, spaceId, userId } = this.#target;
    return deriveRecordId([format, source, spaceId, userId, kind, ...parts]);
  };

  async add(item: Item): Promise<void> {
    switch (item.type) {
      case 'skipped':
        return this.#skip(item);
      case 'memory':
        await this.#addMemory(item);
        return;
      case 'conversation':
        return this.#addConversation(item);
      case 'link':
        return this.#addLink(item);
      case 'entity':
        return this.#entities.declare({ ...item, name: this.#name(item.name) });
      case 'relation':
        return this.#addRelation({
          ...item,
          from: this.#name(item.from),
          relation: this.#name(item.relation),
          to: this.#name(item.to),
        });
    }
  }

  #name(name: string): string {
    return this.#cleaner.line(name, nameCharactersMax);
  }

  async #addRelation(item: RelationItem): Promise<void> {
    const memory = toRelationMemory(item);
    if (!(await this.#addMemory(memory))) return;
    this.#counts.relations += 1;
    await this.#entities.addRelation(item, this.idOf('memory', memory.id), item.updatedAt);
  }

  /** After the last item. */
  finish(): Promise<void> {
    return this.#entities.finish();
  }

  #skip({ reason, place, count }: Omit<SkippedItem, 'type'>): void {
    const skips = this.skips.get(reason) ?? { count: 0, places: [] };
    skips.count += count;
    if (skips.places.length < placesMax) skips.places.push(place);
    this.skips.set(reason, skips);
  }

  /** False for an item that the source has twice. */
  #isNew(id: string, place: string): boolean {
    if (this.#known.add(id)) return true;
    this.#skip({ reason: 'repeated', place, count: 1 });
    return false;
  }

  /** The text in parts that the plan of the account admits. */
  #split(text: string): string[] {
    const parts = splitText(text, this.#target.contentBytesMax);
    if (parts.length > 1) this.#counts.split += 1;
    return parts;
  }

  async #addMemory(item: MemoryItem): Promise<boolean> {
    const { place, content, mentions } = item;
    const text = this.#cleaner.text(content);
    if (text.trim() === '') {
      this.#skip({ reason: 'empty', place, count: 1 });
      return false;
    }
    if (!this.#isNew(`memory ${item.id}`, place)) return false;
    const { metadata, isComplete } = this.#cleaner.metadata({
      ...item.metadata,
      ...this.#origin(item.id),
    });
    if (!isComplete) this.#skip({ reason: 'metadata_too_large', place, count: 1 });
    const parts = this.#split(text);
    this.#counts.memories += 1;
    for (const [i, part] of parts.entries()) {
      const id = i === 0 ? this.idOf('memory', item.id) : this.idOf('memory', item.id, String(i));
      await this.#spool.add(
        'memories',
        {
          ...this.#memory(item, part),
          id,
          content_hash: createHash('sha256').update(part).digest('hex'),
          tags: this.#tags(item.tags),
          metadata: { ...metadata, ...partOf(i, parts.length) },
          has_statements: mentions !== undefined,
        },
        place,
      );
      const names = mentions?.map((name) => this.#name(name)) ?? [];
      await this.#entities.mention(id, names, item.updatedAt);
    }
    return true;
  }

  /** Fields that all memories have. */
  #memory(
    item: Pick<MemoryItem, 'createdAt' | 'updatedAt' | 'occurredAt'> & Partial<MemoryItem>,
    content: string,
  ): Omit<
    ArchiveInput<'memories'>,
    'id' | 'content_hash' | 'tags' | 'metadata' | 'has_statements'
  > {
    const { createdAt, updatedAt, occurredAt, expiresAt, owner = {}, priority = 0 } = item;
    return {
      space_id: null,
      ...ownerOf(owner, this.#target.userId),
      session_id: null,
      session_ordinal: null,
      content,
      content_type: item.contentType ?? 'text',
      priority,
      salience: null,
      salience_at: null,
      access_count: 0,
      is_pinned: false,
      protection_level: 'none',
      quality_score: null,
      occurred_at: occurredAt?.toISOString() ?? null,
      expires_at: expiresAt?.toISOString() ?? null,
      detect_updates: null,
      verified_at: null,
      deleted_at: null,
      created_at: (createdAt ?? updatedAt).toISOString(),
      updated_at: updatedAt.toISOString(),
    };
  }

  #tags(tags: readonly string[]): string[] {
    const clean = tags.map((tag) => this.#cleaner.line(tag, tagCharactersMax));
    return [...new Set(clean)].filter((tag) => tag !== '').slice(0, tagsMax);
  }

  #origin(id: string) {
    return { imported_from: this.#target.format, imported_id: id };
  }

  async #addConversation(item: ConversationItem): Promise<void> {
    const { id: sourceId, place, createdAt, updatedAt } = item;
    if (!this.#isNew(`conversation ${sourceId}`, place)) return;
    const sessionId = this.idOf('session', sourceId);
    let ordinal = 0;
    let lastAt = createdAt ?? updatedAt;
    for (const turn of item.turns) {
      const text = this.#cleaner.message(turn.text);
      const turnPlace = `${place}/${turn.id}`;
      if (text === '' || !this.#isNew(`turn ${sourceId} ${turn.id}`, turnPlace)) continue;
      const at = turn.at ?? createdAt;
      if (at !== null && at > lastAt) lastAt = at;
      const parts = this.#split(text);
      for (const [i, part] of parts.entries()) {
        ordinal += 1;
        const times = { createdAt: at, updatedAt: at ?? updatedAt, occurredAt: at };
        const own = i === 0 ? [] : [String(i)];
        await this.#spool.add(
          'memories',
          {
            ...this.#memory(times, part),
            id: this.idOf('turn', sourceId, turn.id, ...own),
            session_id: sessionId,
            session_ordinal: ordinal,
            // Equal messages are several, as in a conversation of the API.
            content_hash: null,
            detect_updates: 'off',
            tags: [],
            metadata: {
              role: turn.role,
              ...this.#origin(turn.id),
              ...partOf(i, parts.length),
            },
            has_statements: false,
          },
          turnPlace,
        );
      }
      this.#counts.turns += 1;
    }
    if (ordinal === 0) return this.#skip({ reason: 'empty', place, count: 1 });
    this.#counts.conversations += 1;
    await this.#spool.add('sessions', this.#session(item, sessionId, ordinal, lastAt), place);
  }

  /** A conversation that is over: agents do not continue it. */
  #session(
    { id, title, description, createdAt, updatedAt }: ConversationItem,
    sessionId: string,
    count: number,
    lastAt: Date,
  ): ArchiveInput<'sessions'> {
    return {
      id: sessionId,
      space_id: null,
      name: this.#cleaner.line(title, titleCharactersMax) || id.slice(0, titleCharactersMax),
      type: 'conversation',
      status: 'completed',
      description: description === null ? null : this.#cleaner.line(description, 1_000),
      tags: [],
      origin_type: this.#target.format,
      retention_policy: 'permanent',
      retention_days: null,
      is_private: false,
      summary: null,
      message_count: count,
      next_ordinal: count + 1,
      metadata: this.#origin(id),
      last_active_at: lastAt.toISOString(),
      paused_at: null,
      completed_at: lastAt.toISOString(),
      archived_at: null,
      created_at: (createdAt ?? updatedAt).toISOString(),
      updated_at: updatedAt.toISOString(),
    };
  }

  async #addLink({ from, to }: LinkItem): Promise<void> {
    const id = this.idOf('link', from, to);
    if (!this.#known.add(`link ${id}`)) return;
    this.#counts.links += 1;
    const at = new Date(0).toISOString();
    await this.#spool.add('relationships', {
      id,
      source_id: this.idOf('memory', from),
      target_id: this.idOf('memory', to),
      type: 'references',
      inverse_id: null,
      description: null,
      weight: 1,
      weight_set_at: at,
      // Links that people made do not fade.
      decay_rate: 0,
      usage_count: 0,
      last_reinforced_at: null,
      rules: {},
      metadata: { imported_from: this.#target.format },
      created_at: at,
      updated_at: at,
    });
  }
}

const partOf = (index: number, count: number) =>
  count === 1 ? {} : { part: index + 1, parts: count };

const ownerOf = ({ user_id, agent_id, run_id }: Owner, userId: string | null) => ({
  user_id: userId ?? user_id ?? null,
  agent_id: agent_id ?? null,
  run_id: run_id ?? null,
});
