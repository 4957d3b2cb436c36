import { z } from 'zod';
import { idInput, idOutput, spaceRef, storableText, timestampInput } from '../fields.ts';
import { limits } from '../limits.ts';
import { ownerFields } from '../owners.ts';
import { withSpaceName } from '../space-names.ts';
import { memory } from './memories.ts';

/** Of which messages memories are derived: those that are not stored yet, none, or all. */
export const derivationScopes = ['new', 'none', 'all'] as const;
export const derivationActions = ['added', 'updated', 'unchanged'] as const;

const conversationMessage = z
  .strictObject({
    role: storableText({ min: 1, max: limits.roleCharactersMax }),
    name: storableText({ min: 1, max: limits.nameCharactersMax }).optional(),
    content: storableText({ min: 1 }),
    occurred_at: timestampInput.optional().meta({ description: 'When the message was sent.' }),
  })
  .meta({ id: 'ConversationMessage' });

export const fromMessagesBody = withSpaceName(
  z.strictObject({
    messages: z.array(conversationMessage).min(1).max(limits.bulkItemsMax),
    ...ownerFields,
    session_id: idInput('other').optional().meta({
      description: 'The session that the turns join; derived memories belong to no session.',
    }),
    space_id: spaceRef.optional().meta({
      description: 'Default: the space of the session, else the account level.',
    }),
    derive: z
      .enum(derivationScopes)
      .default('new')
      .meta({
        description:
          'new: from messages that are not stored yet. none: the turns are only stored. all: ' +
          'also from those that are stored already, as after none; what was erased returns.',
      }),
  }),
).meta({ id: 'FromMessages' });

const derivedMemory = memory
  .extend({
    source_ids: z
      .array(idOutput)
      .meta({ description: 'The turns of this request that say it, each a derived_from link.' }),
    action: z.enum(derivationActions).meta({
      description:
        'added: new. updated: new, and it supersedes what it outdates. unchanged: known before.',
    }),
  })
  .meta({ id: 'DerivedMemory' });

export const fromMessagesResponse = z.object({
  turns: z.array(idOutput).meta({ description: 'The memories of the messages, in their order.' }),
  memories: z.array(derivedMemory),
});

export type FromMessagesBody = z.output<typeof fromMessagesBody>;
export type DerivedMemory = z.output<typeof derivedMemory>;
export type DerivationAction = (typeof derivationActions)[number];
