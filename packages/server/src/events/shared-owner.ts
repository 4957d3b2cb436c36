import type { Owner } from '@mneme/contract';

/** Of an event about memories: each name that all of them have. */
export function sharedOwner(memories: readonly Owner[]): Owner {
  const shared = (name: keyof Owner): string | null => {
    const value = memories[0]?.[name] ?? null;
    return memories.every((memory) => memory[name] === value) ? value : null;
  };
  return { user_id: shared('user_id'), agent_id: shared('agent_id'), run_id: shared('run_id') };
}
