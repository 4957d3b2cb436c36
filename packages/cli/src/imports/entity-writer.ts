import type { ArchiveSpool } from './archive-spool.ts';
import type { EntityItem, MemoryItem, RelationItem } from './items.ts';

/** The types of entities, and words of the types that others give theirs. */
const typeWords: Readonly<Record<string, readonly string[]>> = {
  person: ['person', 'people', 'user', 'human', 'contact', 'colleague', 'friend', 'employee'],
  organization: ['organization', 'organisation', 'company', 'team', 'group', 'institution'],
  location: ['location', 'place', 'city', 'country', 'region', 'address', 'venue'],
  product: ['product', 'project', 'software', 'tool', 'service', 'app', 'library', 'device'],
  event: ['event', 'meeting', 'conference', 'trip', 'appointment'],
  skill: ['skill', 'language', 'ability'],
  date: ['date', 'day'],
};

const normalize = (name: string): string =>
  name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^[_\d]+|_+$/g, '');

/** A concept, if the words of the type say nothing else. */
function toEntityType(given: string): string {
  const words = normalize(given).split('_');
  const found = Object.entries(typeWords).find(([, known]) =>
    words.some((word) => known.includes(word)),
  );
  return found?.[0] ?? 'concept';
}

/** No source says when it got to know an entity. */
const noTime = new Date(0).toISOString();

const keyOf = (name: string): string => name.normalize('NFC').toLowerCase();

type IdOf = (kind: string, ...parts: readonly string[]) => string;

/** The relation as a sentence. */
const toStatement = ({ from, relation, to }: RelationItem): string =>
  `${from} ${relation.replaceAll('_', ' ')} ${to}`;

/** The sentence as a memory, so that searches find it. */
export const toRelationMemory = (item: RelationItem): MemoryItem => ({
  type: 'memory',
  id: JSON.stringify([item.from, item.relation, item.to]),
  content: toStatement(item),
  contentType: 'text',
  occurredAt: null,
  createdAt: null,
  updatedAt: item.updatedAt,
  tags: [],
  metadata: { relation: item.relation },
  owner: {},
  mentions: [item.from, item.to],
  place: item.place,
});

/** Writes entities, who mentions them, and what they have to do with each other. */
export class EntityWriter {
  readonly #idOf: IdOf;
  readonly #spool: ArchiveSpool;
  /** Those that are written. */
  readonly #declared = new Set<string>();
  /** Those that relations name, by their keys. */
  readonly #named = new Map<string, string>();

  constructor(idOf: IdOf, spool: ArchiveSpool) {
    this.#idOf = idOf;
    this.#spool = spool;
  }

  get count(): number {
    return this.#declared.size;
  }

  async declare({ name, entityType }: Omit<EntityItem, 'type'>): Promise<void> {
    const key = keyOf(name);
    if (this.#declared.has(key)) return;
    this.#declared.add(key);
    this.#named.delete(key);
    const type = toEntityType(entityType);
    await this.#spool.add('entities', {
      id: this.#idOf('entity', key),
      space_id: null,
      name,
      type,
      is_retained: true,
      speaker: null,
      merged_into: null,
      merged_at: null,
      names: [{ name, type, is_manual: true }],
      changes: [],
      created_at: noTime,
      updated_at: noTime,
    });
  }

  #idOfName(name: string): string {
    const key = keyOf(name);
    if (!this.#declared.has(key)) this.#named.set(key, name);
    return this.#idOf('entity', key);
  }

  async mention(memoryId: string, names: readonly string[], at: Date): Promise<void> {
    for (const name of new Set(names)) {
      await this.#spool.add('mentions', {
        memory_id: memoryId,
        entity_id: this.#idOfName(name),
        confidence: 1,
        names: [name],
        observed_at: at.toISOString(),
        recorded_at: at.toISOString(),
      });
    }
  }

  async addRelation(item: RelationItem, memory: string, at: Date): Promise<void> {
    const { from, relation, to } = item;
    const predicate = normalize(relation).slice(0, 64) || 'related_to';
    const ends = { subject_id: this.#idOfName(from), object_id: this.#idOfName(to) };
    await this.#spool.add('assertions', {
      id: this.#idOf('assertion', from, relation, to),
      space_id: null,
      ...ends,
      predicate,
      object_value: null,
      statement: toStatement(item),
      confidence: 1,
      valid_from: null,
      valid_to: null,
      observed_at: at.toISOString(),
      memory_id: memory,
      is_manual: false,
      recorded_at: at.toISOString(),
      retracted_at: null,
      retracted_by: null,
    });
  }

  /** Entities that relations name and nothing declares. */
  async finish(): Promise<void> {
    for (const name of [...this.#named.values()]) await this.declare({ name, entityType: '' });
  }
}
