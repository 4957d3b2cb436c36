import type { OperationCaller } from '../calls.ts';
import { spacesList } from '../generated/operations.ts';
import type { Memory } from '../generated/types.ts';

/** Where an adapter stores and searches: a space, and the owner of the memories. */
export interface MemoryScope {
  readonly space_id?: string | undefined;
  /** Name of the space, instead of space_id. */
  readonly space?: string | undefined;
  readonly user_id?: string | undefined;
  readonly agent_id?: string | undefined;
  readonly run_id?: string | undefined;
}

const ownerNames = ['user_id', 'agent_id', 'run_id'] as const;

/** The account level if a scope names no space: requests without one would find those of all. */
export function withDefaultSpace(scope: MemoryScope): MemoryScope {
  const { space, space_id = 'default', ...owner } = scope;
  return { ...(space === undefined ? { space_id } : { space }), ...owner };
}

/** Whether the owner of a memory is exactly that of a scope; a filter finds those of all. */
export const hasOwner = (
  memory: Readonly<Record<(typeof ownerNames)[number], unknown>>,
  scope: MemoryScope,
): boolean => ownerNames.every((name) => (memory[name] ?? null) === (scope[name] ?? null));

/** Whether a memory is in a scope. Reads the list of spaces if the scope names one. */
export async function isInScope(
  client: OperationCaller,
  scope: MemoryScope,
  memory: Memory,
): Promise<boolean> {
  if (ownerNames.some((name) => scope[name] !== undefined && scope[name] !== memory[name]))
    return false;
  const id = scope.space === undefined ? scope.space_id : await findSpaceId(client, scope.space);
  return id === undefined || memory.space_id === (/^(?:null|default)$/.test(id) ? null : id);
}

async function findSpaceId(client: OperationCaller, name: string): Promise<string> {
  for await (const space of client.paginate(spacesList)) if (space.name === name) return space.id;
  throw new Error(`No space is named ${name}.`);
}
