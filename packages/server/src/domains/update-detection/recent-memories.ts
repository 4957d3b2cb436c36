import { type AppLifetime, perApp } from '../../kernel/per-app.ts';
import type { HookCtx, MemoryChange, MemoryRecord } from '../memories/index.ts';
import { type ComparedMemory, isShort, toCompared } from './model.ts';

/** A document of the index. */
interface FoundDocument {
  readonly id: string;
  /** Position of its last change. */
  readonly position: number;
}

interface RecentMemory {
  readonly memory: ComparedMemory;
  readonly position: number;
}

/** Up to 4 MB of texts. */
const memoriesMax = 4_000;

/**
 * Memories that were lately created or compared, so that the next comparison need not read them. A
 * memory that has changed since, in content, space or owner, has another position in the index.
 */
class RecentMemories {
  /** In order of last use. */
  readonly #memories = new Map<string, RecentMemory>();

  /** Those of the documents that are known as they are now, by id. */
  find(accountId: string, documents: readonly FoundDocument[]): Map<string, ComparedMemory> {
    const found = new Map<string, ComparedMemory>();
    for (const { id, position } of documents) {
      const known = this.#memories.get(keyOf(accountId, id));
      if (known?.position !== position) continue;
      this.add(known.memory, position);
      found.set(id, known.memory);
    }
    return found;
  }

  /** Adds memories that were read since the documents were found. */
  addRead(
    memories: ReadonlyMap<string, ComparedMemory>,
    documents: readonly FoundDocument[],
  ): void {
    for (const { id, position } of documents) {
      const memory = memories.get(id);
      if (memory) this.add(memory, position);
    }
  }

  add(memory: ComparedMemory, position: number): void {
    if (!isShort(memory)) return;
    const key = keyOf(memory.account_id, memory.id);
    this.#memories.delete(key);
    this.#memories.set(key, { memory, position });
    if (this.#memories.size <= memoriesMax) return;
    const [oldest] = this.#memories.keys();
    this.#memories.delete(oldest as string);
  }
}

const keyOf = (accountId: string, id: string): string => `${accountId} ${id}`;

export const recentMemories = perApp<AppLifetime, RecentMemories>(() => new RecentMemories());

/** Keeps new memories once they are committed. */
export async function keepCreated(ctx: HookCtx, changes: readonly MemoryChange[]): Promise<void> {
  const created = changes.flatMap(({ before, after }): MemoryRecord[] =>
    before === null && after !== null ? [after] : [],
  );
  if (created.length === 0) return;
  const { journal } = ctx;
  journal.afterCommit(() => {
    for (const record of created) {
      const move = journal.indexMoves.get(record.account_id);
      if (move) recentMemories.of(ctx).add(toCompared(record), move.to);
    }
  });
}
