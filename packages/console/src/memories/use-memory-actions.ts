import type { Client, Memory } from '@mneme/sdk';
import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useMemo, useRef } from 'react';
import { useClient } from '../session/session-context.tsx';
import { useToast } from '../ui/toasts.tsx';
import { type ActionContext, countOf, failureText } from './action-context.ts';
import { createMatchingActions } from './matching-actions.ts';
import { memoryKey, refreshLists, removeCached, updateCached } from './use-memories.ts';

/** The most memories of one request. */
const bulkItemsMax = 100;

function* chunksOf(ids: readonly string[]): Generator<string[]> {
  for (let i = 0; i < ids.length; i += bulkItemsMax) yield ids.slice(i, i + bulkItemsMax);
}

async function restoreAll(client: Client, ids: readonly string[]): Promise<void> {
  for (const chunk of chunksOf(ids)) {
    await Promise.all(chunk.map((id) => client.memories.restore({ params: { id } })));
  }
}

/** Changes of one memory. */
function createSingleActions({ client, queries, report }: ActionContext) {
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
  };
  return actions;
}

/** Deletions and restorations of any number of memories. */
function createDeletionActions({ client, queries, toast, report }: ActionContext) {
  const refresh = async (ids: readonly string[]) => {
    for (const id of ids) void queries.invalidateQueries({ queryKey: memoryKey(id) });
    await refreshLists(queries);
  };
  /** Returns the ids that could not be deleted. */
  const deleteAll = async (ids: readonly string[], soft: boolean, confirm: boolean) => {
    const failed = new Set<string>();
    for (const chunk of chunksOf(ids)) {
      const input = { query: { confirm }, body: { ids: chunk, soft } };
      const result = await client.memories.bulkDelete(input);
      for (const { index } of result.failed) failed.add(chunk[index] ?? '');
    }
    return failed;
  };
  const actions = {
    /** Softly: they can be restored. */
    async remove(ids: readonly string[], isConfirmed: boolean) {
      const failed = await deleteAll(ids, true, isConfirmed);
      const deleted = ids.filter((id) => !failed.has(id));
      removeCached(queries, deleted, false);
      void refresh([]);
      const undo = async () => {
        await restoreAll(client, deleted);
        await refresh(deleted);
      };
      report(`Deleted ${countOf(deleted.length)}.${failureText(failed.size)}`, undo);
    },
    async restore(ids: readonly string[]) {
      await restoreAll(client, ids);
      await refresh(ids);
      report(`Restored ${countOf(ids.length)}.`, () => actions.remove(ids, true));
    },
    /** For good: there is no way back. */
    async erase(ids: readonly string[]) {
      const failed = await deleteAll(ids, false, true);
      await refresh(ids);
      const text = `Permanently deleted ${countOf(ids.length - failed.size)}.`;
      toast(text + failureText(failed.size));
    },
  };
  return actions;
}

/** Tags of any number of memories. */
function createTagActions({ client, queries, report }: ActionContext) {
  const change = async (ids: readonly string[], add: string[], remove: string[]) => {
    let updated = 0;
    for (const chunk of chunksOf(ids)) {
      const body = { ids: chunk, add, remove };
      updated += (await client.memories.bulkTags({ query: { confirm: true }, body })).updated;
    }
    return updated;
  };
  const refresh = () => refreshLists(queries);
  const idsOf = (memories: readonly Memory[]) => memories.map(({ id }) => id);
  return {
    async tag(memories: readonly Memory[], add: string[], remove: string[]) {
      const updated = await change(idsOf(memories), add, remove);
      await refresh();
      // Only what changed: some had an added tag before, or never had a removed one.
      const undo = async () => {
        for (const tag of add) {
          const lacked = memories.filter(({ tags }) => !tags.includes(tag));
          await change(idsOf(lacked), [], [tag]);
        }
        for (const tag of remove) {
          const had = memories.filter(({ tags }) => tags.includes(tag));
          await change(idsOf(had), [tag], []);
        }
        await refresh();
      };
      const failed = memories.length - updated;
      report(`Tagged ${countOf(updated)}.${failureText(failed)}`, undo);
    },
  };
}

/** Changes of memories. Each shows its result with a way back; `undoLast` takes it. */
export function useMemoryActions() {
  const client = useClient();
  const queries = useQueryClient();
  const showToast = useToast();
  const lastUndo = useRef<(() => Promise<unknown>) | undefined>(undefined);
  return useMemo(() => {
    const context: ActionContext = {
      client,
      queries,
      toast: (text) => showToast({ text }),
      report: (text, undo) => {
        lastUndo.current = undo;
        showToast({ text, undo });
      },
    };
    return {
      ...createSingleActions(context),
      ...createDeletionActions(context),
      ...createTagActions(context),
      ...createMatchingActions(context),
      async undoLast() {
        const undo = lastUndo.current;
        lastUndo.current = undefined;
        await undo?.();
      },
    };
  }, [client, queries, showToast]);
}

/** Shows the error of an action that has no other place for it. */
export function useActionErrors(): (action: Promise<unknown>) => void {
  const toast = useToast();
  return useCallback(
    (action) => {
      action.catch((error: Error) => toast({ text: error.message }));
    },
    [toast],
  );
}

export type MemoryActions = ReturnType<typeof useMemoryActions>;
