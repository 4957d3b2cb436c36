import {
  BaseStore,
  type GetOperation,
  type Item,
  type ListNamespacesOperation,
  type MatchCondition,
  type Operation,
  type OperationResults,
  type PutOperation,
  type SearchItem,
  type SearchOperation,
  validateNamespace,
} from '@langchain/langgraph-checkpoint';
import type { OperationCaller } from '../../calls.ts';
import type { Memory } from '../../generated/types.ts';
import { assertKnownNames } from '../../options.ts';
import { toQuery } from '../context-block.ts';
import { type RecordPath, RecordStore, type RecordValue } from '../records.ts';
import type { MemoryScope } from '../scope.ts';
import { matchesFilter } from './filter.ts';
import { textsAtPath } from './text-at-path.ts';

type Value = Record<string, unknown>;

export interface MnemeStoreOptions {
  readonly client: OperationCaller;
  /** The space and owner of the items; a space of its own keeps them apart from other memories. */
  readonly scope?: MemoryScope | undefined;
  /** Paths of the fields that searches compare with a query; default: the whole value. */
  readonly index?: readonly string[] | undefined;
}

/** An item that matches. A result of a search is its id, because it has no time of update. */
interface SearchHit {
  readonly record: RecordPath;
  readonly memory: Memory | string;
  readonly score?: number;
}

/** What remains of the 16 KiB of metadata beside the path of an item. */
const metadataValueBytesMax = 12_000;

/**
 * A store of LangGraph on Mneme. An item is a memory whose content is its JSON, or the fields that
 * are indexed. A batch reads before it writes, as InMemoryStore does.
 *
 * ```ts
 * const graph = builder.compile({ store: new MnemeStore({ client, scope: { space: 'agents' } }) });
 * ```
 */
export class MnemeStore extends BaseStore {
  readonly #records: RecordStore;
  readonly #index: readonly string[];

  constructor(options: MnemeStoreOptions) {
    super();
    assertKnownNames('MnemeStore', options, ['client', 'scope', 'index']);
    this.#records = new RecordStore(options.client, 'langgraph', options.scope ?? {});
    this.#index = options.index ?? ['$'];
  }

  async batch<Op extends Operation[]>(operations: Op): Promise<OperationResults<Op>> {
    for (const operation of operations) validateOperation(operation);
    const results: unknown[] = [];
    for (const operation of operations) results.push(await this.#read(operation));
    await this.#write(operations.filter((operation) => 'value' in operation));
    return results as OperationResults<Op>;
  }

  async #read(operation: Operation): Promise<Item | SearchItem[] | string[][] | null> {
    if ('value' in operation) return null;
    if ('namespacePrefix' in operation) return this.#searchItems(operation);
    if ('namespace' in operation) return this.#getItem(operation);
    return this.#listPaths(operation);
  }

  async #getItem({ namespace, key }: GetOperation): Promise<Item | null> {
    const record = await this.#records.find({ folder: namespace, key });
    return record && toItem(record, record.memory);
  }

  async #searchItems(operation: SearchOperation): Promise<SearchItem[]> {
    const { limit = 10, offset = 0 } = operation;
    const found: SearchHit[] = [];
    for await (const hit of this.#findHits(operation)) {
      if (found.length >= offset + limit) break;
      found.push(hit);
    }
    const items = found.slice(offset).map(async ({ record, memory, score }) => {
      const read = typeof memory === 'string' ? await this.#records.read(memory) : memory;
      return read ? [{ ...toItem(record, read), ...(score === undefined ? {} : { score }) }] : [];
    });
    return (await Promise.all(items)).flat();
  }

  /** With a query, ranked items are first, and those that are not indexed follow. */
  async *#findHits({ namespacePrefix, filter, query }: SearchOperation): AsyncGenerator<SearchHit> {
    const q = query === undefined ? '' : toQuery(query).trim();
    if (q !== '') {
      for await (const ranked of this.#records.search(namespacePrefix, q)) {
        const { id, score, metadata } = ranked;
        if (metadata.indexed === false || !matchesFilter(toValue(ranked), filter)) continue;
        yield { record: ranked, memory: id, score };
      }
    }
    for await (const record of this.#records.list(namespacePrefix)) {
      const { memory } = record;
      if (q !== '' && memory.metadata.indexed !== false) continue;
      if (matchesFilter(toValue(memory), filter)) yield { record, memory };
    }
  }

  async #listPaths(operation: Partial<ListNamespacesOperation>): Promise<string[][]> {
    const { matchConditions = [], maxDepth, offset = 0, limit } = operation;
    const namespaces = new Map<string, string[]>();
    for await (const { folder } of this.#records.list(commonPrefix(matchConditions))) {
      if (!matchConditions.every((condition) => matchesCondition(folder, condition))) continue;
      const path = folder.slice(0, maxDepth);
      namespaces.set(path.join(':'), path);
    }
    const sorted = [...namespaces].toSorted(([a], [b]) => a.localeCompare(b));
    const end = limit === undefined ? undefined : offset + limit;
    return sorted.slice(offset, end).map(([, path]) => path);
  }

  /** The last of several writes to an item counts. */
  async #write(operations: readonly PutOperation[]): Promise<void> {
    const last = new Map(
      operations.map((each) => [JSON.stringify([each.namespace, each.key]), each]),
    );
    const created: (RecordPath & RecordValue)[] = [];
    for (const { namespace, key, value, index } of last.values()) {
      const path = { folder: namespace, key };
      const record = await this.#records.find(path);
      if (value === null) {
        if (record) await this.#records.remove(record);
        continue;
      }
      const stored = toRecordValue(value, index === false ? [] : (index ?? this.#index));
      if (record) await this.#records.replace(record, stored);
      else created.push({ ...path, ...stored });
    }
    await this.#records.create(created);
  }
}

function validateOperation(operation: Operation): void {
  if ('namespace' in operation) validateNamespace(operation.namespace, { allowReservedRoot: true });
  if ('namespacePrefix' in operation) {
    validateNamespace(operation.namespacePrefix, { allowEmpty: true, allowReservedRoot: true });
  }
}

/** Content is what a search compares; a value that is more than that is in the metadata. */
function toRecordValue(value: Value, fields: readonly string[]): RecordValue {
  const json = JSON.stringify(value);
  const texts = fields.flatMap((field) => textsAtPath(value, field));
  if (texts.length === 0) return { content: json, extra: { indexed: false } };
  const content = texts.join('\n').replaceAll('\u0000', '').toWellFormed();
  const isSeparate = content !== json && content.trim() !== '';
  const fits = new TextEncoder().encode(json).length <= metadataValueBytesMax;
  return isSeparate && fits ? { content, extra: { value: json } } : { content: json, extra: {} };
}

interface WithValue {
  readonly content: string;
  readonly metadata: Readonly<Record<string, unknown>>;
}

const toValue = ({ content, metadata }: WithValue): Value =>
  JSON.parse(typeof metadata.value === 'string' ? metadata.value : content) as Value;

const toItem = ({ folder, key }: RecordPath, memory: Memory): Item => ({
  namespace: [...folder],
  key,
  value: toValue(memory),
  createdAt: new Date(memory.created_at),
  updatedAt: new Date(memory.updated_at),
});

/** The longest prefix without wildcards that all found namespaces have. */
function commonPrefix(conditions: readonly MatchCondition[]): string[] {
  const prefixes = conditions.filter(({ matchType }) => matchType === 'prefix');
  const exact = prefixes.map(({ path }) => path.slice(0, path.concat('*').indexOf('*')));
  return exact.reduce((a, b) => (b.length > a.length ? b : a), []);
}

function matchesCondition(namespace: readonly string[], condition: MatchCondition): boolean {
  const { matchType, path } = condition;
  if (matchType !== 'prefix' && matchType !== 'suffix') {
    throw new Error(`Unsupported match type: ${matchType}`);
  }
  if (path.length > namespace.length) return false;
  const start = matchType === 'prefix' ? 0 : namespace.length - path.length;
  return path.every((label, i) => label === '*' || namespace[start + i] === label);
}
