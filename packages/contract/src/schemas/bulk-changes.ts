import { z } from 'zod';
import { withCanonicalNames } from '../aliases.ts';
import {
  customIssueOptions,
  idInput,
  idOutput,
  spaceRef,
  storableText,
  tags,
  timestampOutput,
} from '../fields.ts';
import { limits } from '../limits.ts';
import { withSpaceName } from '../space-names.ts';
import { memoryFilterFields, protectionLevels } from './memories.ts';

/** Which memories are changed: those that meet all conditions; without any: all. */
export const bulkChangeFilter = withCanonicalNames(
  withSpaceName(
    z.strictObject({
      ...memoryFilterFields,
      ids: z.array(idInput('memory')).min(1).max(limits.bulkChangeIdsMax).optional(),
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
).meta({ id: 'BulkChangeFilter' });

const bulkActions = ['tag', 'move', 'pin', 'unpin', 'protect', 'delete', 'restore'] as const;

const bulkAction = withSpaceName(
  z.strictObject({
    type: z.enum(bulkActions).meta({
      description:
        '`delete` hides the memories, and `restore` takes deleted ones that match; all others ' +
        'change active memories.',
    }),
    add: tags.optional().meta({ description: 'Of `tag`.' }),
    remove: tags.optional().meta({ description: 'Of `tag`.' }),
    space_id: spaceRef.optional().meta({ description: 'Of `move`: the target.' }),
    protection_level: z.enum(protectionLevels).optional().meta({ description: 'Of `protect`.' }),
  }),
)
  .superRefine((action, context) => {
    const fieldsOf: Record<string, readonly string[]> = {
      tag: ['add', 'remove'],
      move: ['space_id', 'space'],
      protect: ['protection_level'],
    };
    const own = fieldsOf[action.type] ?? [];
    for (const name of ['add', 'remove', 'space_id', 'space', 'protection_level'] as const) {
      if (action[name] === undefined || own.includes(name)) continue;
      const message = `does not belong to the action ${action.type}`;
      context.addIssue({
        code: 'custom',
        path: [name],
        ...customIssueOptions('unknown_field', message),
      });
    }
    if (own.length === 0) return;
    const isEmpty = own.every((name) => {
      const value = action[name as keyof typeof action];
      return value === undefined || (Array.isArray(value) && value.length === 0);
    });
    const message = `is required by the action ${action.type}`;
    if (isEmpty) {
      context.addIssue({
        code: 'custom',
        path: [own[0] as string],
        ...customIssueOptions('required', message),
      });
    }
  })
  .meta({ id: 'BulkAction' });

export const startBulkChangeBody = z
  .strictObject({
    filter: bulkChangeFilter,
    action: bulkAction,
    count_only: z.boolean().default(false),
    confirm: z
      .boolean()
      .default(false)
      .meta({ description: 'Also changes soft-protected memories.' }),
    expected_count: z
      .int()
      .min(0)
      .max(2_147_483_647)
      .optional()
      .meta({ description: 'The count that was shown: 409 if more memories match by now.' }),
  })
  .meta({ id: 'StartBulkChange' });

export const bulkChangeCount = z
  .object({
    count: z.int().meta({ description: 'How many memories the change takes.' }),
    soft_protected: z.int().meta({ description: 'How many of them need `confirm`.' }),
    hard_protected: z.int().meta({
      description: 'How many of them stay as they are, unless the action is `protect`.',
    }),
  })
  .meta({ id: 'BulkChangeCount' });

export const bulkChangeStatuses = [
  'queued',
  'running',
  'completed',
  'undoing',
  'undone',
  'failed',
] as const;

export const bulkChange = z
  .object({
    id: idOutput.meta({ description: 'Also the id of its job.' }),
    status: z.enum(bulkChangeStatuses),
    action: z.object({
      type: z.enum(bulkActions),
      add: z.array(z.string()).optional(),
      remove: z.array(z.string()).optional(),
      space_id: idOutput.nullable().optional(),
      protection_level: z.enum(protectionLevels).optional(),
    }),
    matched_count: z.int().meta({ description: 'How many memories matched at its start.' }),
    changed_count: z.int(),
    skipped_count: z.int().meta({
      description:
        'Memories that stay as they are: protected ones, and those that would be duplicates.',
    }),
    restored_count: z.int().meta({ description: 'How many memories the undo has restored.' }),
    left_count: z.int().meta({
      description: 'How many the undo has left alone: they were changed or deleted afterwards.',
    }),
    created_at: timestampOutput,
    completed_at: timestampOutput.nullable(),
    undo_until: timestampOutput
      .nullable()
      .meta({ description: 'Until when it can be undone; null: it cannot, or not yet.' }),
    undone_at: timestampOutput.nullable(),
  })
  .meta({ id: 'BulkChange' });

export const bulkChangeParams = z.strictObject({ changeId: idInput('other') });

export type BulkAction = z.output<typeof bulkAction>;
export type BulkChange = z.output<typeof bulkChange>;
export type BulkChangeFilter = z.output<typeof bulkChangeFilter>;
export type StartBulkChangeBody = z.output<typeof startBulkChangeBody>;
