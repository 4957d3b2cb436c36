import { z } from 'zod';
import { withCanonicalNames } from '../aliases.ts';
import { customIssueOptions, idInput, idOutput, spaceRef, storableText } from '../fields.ts';
import { limits } from '../limits.ts';
import { withSpaceName } from '../space-names.ts';
import { memoryFilterFields } from './memories.ts';

/** Which memories are erased: those that meet all conditions. */
export const eraseFilter = withCanonicalNames(
  withSpaceName(
    z.strictObject({
      ...memoryFilterFields,
      ids: z.array(idInput('memory')).min(1).max(limits.eraseIdsMax).optional(),
      space_id: spaceRef.optional(),
      metadata: z
        .record(
          storableText({ min: 1, max: limits.searchQueryCharactersMax }),
          storableText({ max: limits.searchQueryCharactersMax }),
        )
        .refine((pairs) => Object.keys(pairs).length <= limits.searchFiltersMax, {
          ...customIssueOptions(
            'invalid_range',
            `must have at most ${limits.searchFiltersMax} keys`,
          ),
        })
        .optional()
        .meta({ description: 'Values of top-level keys, compared as text.' }),
    }),
  ),
  { is_pinned: 'pinned' },
)
  .refine(
    (filter) => Object.keys(filter).length > 0,
    customIssueOptions('required', 'must contain at least one condition'),
  )
  .meta({ id: 'EraseFilter' });

export const eraseMemoriesBody = z
  .strictObject({
    filter: eraseFilter,
    dry_run: z.boolean().default(false),
    token: storableText({ max: 500 }).optional().meta({ description: 'Of the dry run.' }),
  })
  .refine(({ dry_run, token }) => dry_run || token !== undefined, {
    path: ['token'],
    ...customIssueOptions('required', 'is required: start with dry_run, which answers the token'),
  })
  .meta({ id: 'EraseMemories' });

export const eraseDryRun = z
  .object({
    count: z.int().meta({ description: 'How many memories the run would erase.' }),
    hard_protected: z.int().meta({
      description: 'How many more match, and stay, because they are hard-protected.',
    }),
    mails: z.int().meta({
      description:
        'How many received mails the run would erase: those of the owner, if the filter has only ' +
        'user_id, agent_id and run_id.',
    }),
    uploads: z.int().meta({
      description: 'How many unfinished uploads of such an owner the run would erase.',
    }),
    token: z.string(),
    expires_at: z.iso.datetime().meta({ description: 'Until when the run takes the token.' }),
  })
  .meta({ id: 'EraseDryRun' });

export const queuedErasure = z.object({ job_id: idOutput }).meta({ id: 'QueuedErasure' });

export type EraseMemoriesBody = z.output<typeof eraseMemoriesBody>;
export type EraseFilter = z.output<typeof eraseFilter>;
