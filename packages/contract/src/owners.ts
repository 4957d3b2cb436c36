import { z } from 'zod';
import { customIssueOptions, pageFields, storableText } from './fields.ts';
import { limits } from './limits.ts';

const ownerPattern = /^[\w.:@/-]+$/;

export const ownerId = storableText({ min: 1, max: limits.ownerCharactersMax })
  .refine(
    (value) => ownerPattern.test(value),
    customIssueOptions('invalid_format', 'may contain only A–Z, a–z, 0–9 and _ . : @ / -'),
  )
  .meta({ pattern: ownerPattern.source });

/** Whom a memory belongs to: any of these, or none. Set when it is stored. */
export const ownerFields = {
  user_id: ownerId.optional().meta({ description: 'The end user whom the memory belongs to.' }),
  agent_id: ownerId.optional().meta({ description: 'The agent whom the memory belongs to.' }),
  run_id: ownerId.optional().meta({ description: 'The run or conversation that it belongs to.' }),
} as const;

/** Filters of a list; `listed` names what it has. */
export const ownerFiltersOf = (listed: string) => ({
  user_id: ownerId.optional().meta({ description: `Only ${listed} of this user.` }),
  agent_id: ownerId.optional().meta({ description: `Only ${listed} of this agent.` }),
  run_id: ownerId.optional().meta({ description: `Only ${listed} of this run.` }),
});

export const ownerFilters = ownerFiltersOf('memories');

/** Query of a list of memories by offset. */
export const listOwnedQuery = z.strictObject({ ...pageFields, ...ownerFilters });

export const ownerOutputs = {
  user_id: z.string().nullable(),
  agent_id: z.string().nullable(),
  run_id: z.string().nullable(),
} as const;

export const ownerNames = ['user_id', 'agent_id', 'run_id'] as const;
export type Owner = Readonly<Record<(typeof ownerNames)[number], string | null>>;
export type OwnerFilter = { readonly [name in keyof Owner]?: string | undefined };
