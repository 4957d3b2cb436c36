import type { AgentInputItem, Session } from '@openai/agents-core';
import type { OperationCaller } from '../../calls.ts';
import { isMnemeError } from '../../errors.ts';
import {
  cliSessionsCreate,
  cliSessionsList,
  cliSessionsMemories,
  memoriesBulkCreate,
  memoriesBulkDelete,
  memoriesRemove,
} from '../../generated/operations.ts';
import { defaultClientRuntime } from '../../kernel.ts';
import { assertKnownNames } from '../../options.ts';
import { hasOwner, type MemoryScope, withDefaultSpace } from '../scope.ts';
import { fromStoredItem, toStoredItem } from './items.ts';

export interface MnemeSessionOptions {
  readonly client: OperationCaller;
  /** At most 200 characters; default: a new UUID. */
  readonly sessionId?: string | undefined;
  /** The space and owner of the items. Sessions of two owners with the same id are two sessions. */
  readonly scope?: MemoryScope | undefined;
}

interface OwnItem {
  readonly id: string;
  readonly item: AgentInputItem;
}

const pageMax = 100;
const originType = 'openai-agents';

/**
 * A session of OpenAI Agents on a session of Mneme, whose name is the id; it is created with the
 * first item. Items are memories of that session, returned exactly.
 *
 * ```ts
 * await run(agent, 'Hello', { session: new MnemeSession({ client, sessionId: 'chat-7' }) });
 * ```
 */
export class MnemeSession implements Session {
  readonly #client: OperationCaller;
  readonly #sessionId: string;
  readonly #scope: MemoryScope;
  #foundId: string | null = null;

  constructor(options: MnemeSessionOptions) {
    assertKnownNames('MnemeSession', options, ['client', 'sessionId', 'scope']);
    this.#client = options.client;
    this.#sessionId = options.sessionId ?? defaultClientRuntime.uuid();
    this.#scope = withDefaultSpace(options.scope ?? {});
  }

  async getSessionId(): Promise<string> {
    return this.#sessionId;
  }

  async getItems(limit?: number): Promise<AgentInputItem[]> {
    const items = await this.#readItems(limit ?? Number.POSITIVE_INFINITY);
    return items.map(({ item }) => item);
  }

  /** Up to 100 items are stored together or not at all. */
  async addItems(items: AgentInputItem[]): Promise<void> {
    if (items.length === 0) return;
    const session_id = await this.#findOrCreate();
    for (let start = 0; start < items.length; start += pageMax) {
      const memories = items.slice(start, start + pageMax).map((item) => ({
        ...this.#scope,
        ...toStoredItem(item),
        session_id,
        allow_duplicate: true,
        detect_updates: 'off' as const,
      }));
      await this.#client.call(memoriesBulkCreate, { query: { atomic: true }, body: { memories } });
    }
  }

  async popItem(): Promise<AgentInputItem | undefined> {
    for (;;) {
      const [last] = await this.#readItems(1);
      if (!last) return undefined;
      try {
        await this.#client.call(memoriesRemove, { params: { id: last.id } });
        return last.item;
      } catch (error) {
        // Another process took it: the one before is the last now.
        if (!isMnemeError(error, 'memory_not_found')) throw error;
      }
    }
  }

  async clearSession(): Promise<void> {
    const ids = (await this.#readItems(Number.POSITIVE_INFINITY)).map(({ id }) => id);
    for (let start = 0; start < ids.length; start += pageMax) {
      const body = { ids: ids.slice(start, start + pageMax) };
      const { failed } = await this.#client.call(memoriesBulkDelete, { body });
      const first = failed.find(({ error }) => error.code !== 'memory_not_found');
      if (first) throw new Error(`An item could not be deleted: ${first.error.message}`);
    }
  }

  /** The last items in order. Memories of other programs in the session are left out. */
  async #readItems(limit: number): Promise<OwnItem[]> {
    const id = await this.#find();
    if (id === null || limit <= 0) return [];
    const params = { id };
    const query = { limit: 1, offset: 0 };
    const { pagination } = await this.#client.call(cliSessionsMemories, { params, query });
    let items: OwnItem[] = [];
    for (let end = pagination.total ?? 0; end > 0 && items.length < limit; ) {
      const start = Math.max(0, end - pageMax);
      const page = { offset: start, limit: end - start };
      const { data } = await this.#client.call(cliSessionsMemories, { params, query: page });
      const own = data.flatMap((memory) => {
        const item = hasOwner(memory, this.#scope) ? fromStoredItem(memory) : null;
        return item ? [{ id: memory.id, item }] : [];
      });
      items = [...own, ...items];
      end = start;
    }
    return limit < items.length ? items.slice(-limit) : items;
  }

  /** The oldest session of this name and owner; two processes may create one at the same time. */
  async #find(): Promise<string | null> {
    if (this.#foundId !== null) return this.#foundId;
    const { space, space_id } = this.#scope;
    const query = {
      space,
      space_id,
      origin_type: originType,
      q: this.#sessionId,
      sort: 'created_at',
      order: 'asc',
      limit: pageMax,
    } as const;
    for await (const { id, name, metadata } of this.#client.paginate(cliSessionsList, { query })) {
      const owner = metadata as Parameters<typeof hasOwner>[0];
      if (name !== this.#sessionId || !hasOwner(owner, this.#scope)) continue;
      this.#foundId = id;
      return id;
    }
    return null;
  }

  async #findOrCreate(): Promise<string> {
    const found = await this.#find();
    if (found !== null) return found;
    const { space, space_id, ...owner } = this.#scope;
    const body = {
      space,
      space_id,
      name: this.#sessionId,
      origin_type: originType,
      metadata: owner,
    };
    const created = await this.#client.call(cliSessionsCreate, { body });
    return (await this.#find()) ?? created.id;
  }
}
