import type { CreatedMemory, Memory } from '@mneme/contract';

/** The memory in the answer of a create, as other answers show it. */
export function asMemory({ possible_updates: _, ...memory }: CreatedMemory): Memory {
  return memory;
}
