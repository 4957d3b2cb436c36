import type { OperationCaller } from '../calls.ts';
import { isMnemeError } from '../errors.ts';
import {
  memoriesBulkCreate,
  memoriesGet,
  memoriesList,
  memoriesRemove,
  memoriesUpdate,
  searchPost,
} from '../generated/operations.ts';
import type { CreateMemory, Memory } from '../generated/types.ts';
import { hasOwner, type MemoryScope, withDefaultSpace } from './scope.ts';

/** The exact place of a record: folders from the root, and a key within the last one. */
export interface RecordPath {
  readonly folder: readonly string[];
  readonly key: string;
}

/** What is stored at a path. `extra` is further metadata of the adapter. */
export interface RecordValue {
  readonly content: string;
  readonly extra: Readonly<Record<string, unknown>>;
}

/** A memory with a path. Its other copies, of concurrent creates, are removed by the next write. */
export interface StoredRecord extends RecordPath {
  readonly memory: Memory;
  readonly copies: readonly Memory[];
}

export interface RankedRecord extends RecordPath {
  readonly id: string;
  readonly score: number;
  readonly content: string;
  readonly metadata: Readonly<Record<string, unknown>>;
}

const pageMax = 100;
const tagCharactersMax = 255;
const filterCharactersMax = 1_000;
const queryOffsetMax = 10_000;

/**
 * Records with exact paths, stored as memories: `metadata.record` is the encoded path, by which a
 * record is found, and a tag for each folder finds what is below it.
 *
 * @param collection keeps the records of an adapter apart from all other memories
 */
export class RecordStore {
  readonly #client: OperationCaller;
  readonly #collection: string;
  readonly #scope: MemoryScope;

  constructor(client: OperationCaller, collection: string, scope: MemoryScope) {
    this.#client = client;
    this.#collection = collection;
    this.#scope = withDefaultSpace(scope);
  }

  async find(path: RecordPath): Promise<StoredRecord | null> {
    const query = {
      ...this.#scope,
      'metadata.record': await this.#encodePath(path),
      sort: 'created_at',
      order: 'asc',
      limit: pageMax,
    } as const;
    const { data } = await this.#client.call(memoriesList, { query });
    const [memory, ...copies] = data.filter(
      (each) => hasOwner(each, this.#scope) && isAt(path, each.metadata),
    );
    return memory ? { ...path, memory, copies } : null;
  }

  /** Every record in a folder or below it, in the order of creation. */
  async *list(folder: readonly string[]): AsyncGenerator<StoredRecord, void> {
    const tags = [await this.#encodeFolder(folder)];
    const query = {
      ...this.#scope,
      tags,
      sort: 'created_at',
      order: 'asc',
      limit: pageMax,
    } as const;
    const seen = new Set<string>();
    for await (const memory of this.#client.paginate(memoriesList, { query })) {
      const path = hasOwner(memory, this.#scope) ? toPath(memory.metadata) : null;
      if (path === null || !isBelow(folder, path) || seen.has(JSON.stringify(path))) continue;
      seen.add(JSON.stringify(path));
      yield { ...path, memory, copies: [] };
    }
  }

  /** Records in a folder or below it, the best match of the query first. */
  async *search(folder: readonly string[], q: string): AsyncGenerator<RankedRecord, void> {
    const tags = [await this.#encodeFolder(folder)];
    const seen = new Set<string>();
    for (let offset = 0; offset <= queryOffsetMax; offset += pageMax) {
      const page = { offset, limit: pageMax, threshold: 0, include: ['memories' as const] };
      const body = { ...this.#scope, q, tags, ...page };
      const { results } = await this.#client.call(searchPost, { body });
      for (const result of results) {
        if (result.type !== 'memory') continue;
        const path = hasOwner(result, this.#scope) ? toPath(result.metadata) : null;
        if (path === null || !isBelow(folder, path) || seen.has(JSON.stringify(path))) continue;
        seen.add(JSON.stringify(path));
        yield { ...path, ...result };
      }
      if (results.length < pageMax) return;
    }
  }

  /** The memory of a record; null if it was deleted in the meantime. */
  async read(id: string): Promise<Memory | null> {
    try {
      return await this.#client.call(memoriesGet, { params: { id } });
    } catch (error) {
      if (isMnemeError(error, 'memory_not_found')) return null;
      throw error;
    }
  }

  /** Stores new records, up to 100 of them together or not at all. */
  async create(records: readonly (RecordPath & RecordValue)[]): Promise<void> {
    for (let start = 0; start < records.length; start += pageMax) {
      const chunk = records.slice(start, start + pageMax);
      const memories = await Promise.all(chunk.map((record) => this.#toMemory(record)));
      const query = { atomic: true };
      await this.#client.call(memoriesBulkCreate, { query, body: { memories } });
    }
  }

  /** Replaces the value of a record, which keeps its time of creation; with `to`, moves it. */
  async replace(record: StoredRecord, value: RecordValue, to: RecordPath = record): Promise<void> {
    const { id, metadata } = record.memory;
    const { content, metadata: changed, tags } = await this.#toMemory({ ...to, ...value });
    const removed = Object.keys(metadata).filter((name) => !Object.hasOwn(changed ?? {}, name));
    const merged = {
      ...Object.fromEntries(removed.map((name) => [name, null])),
      ...changed,
      // An equal value is a write, too, and gets a new updated_at.
      writes: Number(metadata.writes ?? 0) + 1,
    };
    const body = { content, tags, metadata: merged };
    await this.#client.call(memoriesUpdate, { params: { id }, body });
    for (const copy of record.copies) await this.#removeMemory(copy.id);
  }

  async remove(record: StoredRecord): Promise<void> {
    for (const { id } of [...record.copies, record.memory]) await this.#removeMemory(id);
  }

  async #removeMemory(id: string): Promise<void> {
    try {
      await this.#client.call(memoriesRemove, { params: { id } });
    } catch (error) {
      // Another process was first.
      if (!isMnemeError(error, 'memory_not_found')) throw error;
    }
  }

  async #toMemory({ folder, key, content, extra }: RecordPath & RecordValue) {
    const depths = Array.from({ length: folder.length + 1 }, (_, depth) => depth);
    const tags = depths.map((depth) => this.#encodeFolder(folder.slice(0, depth)));
    return {
      ...this.#scope,
      content,
      tags: await Promise.all(tags),
      metadata: { ...extra, record: await this.#encodePath({ folder, key }), folder, key },
      allow_duplicate: true,
      detect_updates: 'off',
    } satisfies CreateMemory;
  }

  #encodeFolder(folder: readonly string[]): Promise<string> {
    return shorten(`${this.#collection}:${folder.map(encode).join('/')}`, tagCharactersMax);
  }

  #encodePath({ folder, key }: RecordPath): Promise<string> {
    const path = `${this.#collection}:${folder.map(encode).join('/')}:${encode(key)}`;
    return shorten(path, filterCharactersMax);
  }
}

/** Without the separators / : and , (lists in a query are comma-separated). */
const encode = (label: string): string => encodeURIComponent(label);

/** The text, or its digest if it is longer than the API accepts. */
async function shorten(text: string, charactersMax: number): Promise<string> {
  if (text.length <= charactersMax) return text;
  const bytes = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  const hex = [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, '0'));
  return `${text.slice(0, text.indexOf(':'))}:sha256:${hex.join('')}`;
}

/** The path in the metadata of a memory; null if another program has changed it. */
function toPath({ folder, key }: Readonly<Record<string, unknown>>): RecordPath | null {
  const isFolder = Array.isArray(folder) && folder.every((label) => typeof label === 'string');
  return isFolder && typeof key === 'string' ? { folder, key } : null;
}

const isBelow = (above: readonly string[], { folder }: RecordPath): boolean =>
  above.every((label, depth) => folder[depth] === label);

function isAt(path: RecordPath, metadata: Readonly<Record<string, unknown>>): boolean {
  const found = toPath(metadata);
  const isSameDepth = found?.folder.length === path.folder.length;
  return isSameDepth && found.key === path.key && isBelow(path.folder, found);
}
