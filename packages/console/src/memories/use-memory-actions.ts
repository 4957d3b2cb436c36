import type { Client, Memory } from '@mneme/sdk';
import { useQueryClient } from '@tanstack/react-query';
import { useMemo, useRef } from 'react';
import { useClient } from '../session/session-context.tsx';
import { useToast } from '../ui/toasts.tsx';
import { listsKey, memoryKey, removeCached, updateCached } from './use-memories.ts';

/** The most memories of one request. */
const bulkItemsMax = 100;

export const countOf = (count: number): string =>
  count === 1 ? '1 memory' : `${count.toLocaleString()} memories`;

function* chunksOf(ids: readonly string[]): Generator<string[]> {
  for (let i = 0; i < ids.length; i += bulkItemsMax) yield ids.slice(i, i + bulkItemsMax);
}

/** What failed is left as it is and counted. */
const failureText = (failed: number): string =>
  failed === 0 ? '' : ` ${countOf(failed)} could not be changed, such as protected ones.`;

async function restoreAll(client: Client, ids: readonly string[]): Promise<void> {
  for (const chunk of chunksOf(ids)) {
    await Promise.all(chunk.map((id) => client.memories.restore({ params: { id } })));
  }
}

/** Changes of memories. Each shows its result with a way back; `undoLast` takes it. */
export function useMemoryActions() {
  const client = useClient();
  const queries = useQueryClient();
  const toast = useToast();
  const lastUndo = useRef<(() => Promise<unknown>) | undefined>(undefined);
  return useMemo(() => {
    const refresh = () => queries.invalidateQueries({ queryKey: listsKey });
    const report = (text: string, undo: () => Promise<unknown>) => {
      lastUndo.current = undo;
      toast({ text, undo });
    };
    const show = (memory: Memory) => {
      updateCached(queries, memory);
      void queries.invalidateQueries({ queryKey: memoryKey(memory.id) });
    };
    const actions = {
      async setPinned({ id }: Memory, isPinned: boolean, hasUndo = true) {
        const input = { params: { id }, query: { confirm: true } };
        const verb = isPinned ? client.memories.pin : client.memories.unpin;
        const changed = await verb(input);
        show(changed);
        const undo = () => actions.setPinned(changed, !isPinned, false);
        if (hasUndo) report(isPinned ? 'Pinned.' : 'Unpinned.', undo);
      },
      async setProtection(memory: Memory, level: Memory['protection_level'], hasUndo = true) {
        const { id, protection_level: before } = memory;
        const body = { protection_level: level };
        const changed = await client.memories.protect({ params: { id }, body });
        show(changed);
        const undo = () => actions.setProtection(changed, before, false);
        if (hasUndo) report(`Protection: ${level}.`, undo);
      },
      /** Softly: they can be restored. */
      async remove(ids: readonly string[], isConfirmed: boolean) {
        const failed = new Set<string>();
        const query = { confirm: isConfirmed };
        for (const chunk of chunksOf(ids)) {
          const body = { ids: chunk, soft: true };
          const result = await client.memories.bulkDelete({ query, body });
          for (const { index } of result.failed) failed.add(chunk[index] ?? '');
        }
        const deleted = ids.filter((id) => !failed.has(id));
        removeCached(queries, deleted, false);
        void refresh();
        const undo = async () => {
          await restoreAll(client, deleted);
          for (const id of deleted) void queries.invalidateQueries({ queryKey: memoryKey(id) });
          await refresh();
        };
        report(`Deleted ${countOf(deleted.length)}.${failureText(failed.size)}`, undo);
      },
      async restore(ids: readonly string[]) {
        await restoreAll(client, ids);
        for (const id of ids) void queries.invalidateQueries({ queryKey: memoryKey(id) });
        await refresh();
        report(`Restored ${countOf(ids.length)}.`, () => actions.remove(ids, true));
      },
      /** For good: there is no way back. */
      async erase(ids: readonly string[]) {
        const failed: unknown[] = [];
        for (const chunk of chunksOf(ids)) {
          const input = { query: { confirm: true }, body: { ids: chunk, soft: false } };
          failed.push(...(await client.memories.bulkDelete(input)).failed);
        }
        await refresh();
        const text = `Permanently deleted ${countOf(ids.length - failed.length)}.`;
        toast({ text: text + failureText(failed.length) });
      },
      async tag(ids: readonly string[], add: string[], remove: string[], hasUndo = true) {
        let updated = 0;
        for (const chunk of chunksOf(ids)) {
          const body = { ids: chunk, add, remove };
          updated += (await client.memories.bulkTags({ query: { confirm: true }, body })).updated;
        }
        await refresh();
        const undo = () => actions.tag(ids, remove, add, false);
        const failed = ids.length - updated;
        if (hasUndo) report(`Tagged ${countOf(updated)}.${failureText(failed)}`, undo);
      },
      async undoLast() {
        const undo = lastUndo.current;
        lastUndo.current = undefined;
        await undo?.();
      },
    };
    return actions;
  }, [client, queries, toast]);
}

export type MemoryActions = ReturnType<typeof useMemoryActions>;
