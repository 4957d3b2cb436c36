import { z } from 'zod';
import { withSnakeCaseNames } from '../aliases.ts';
import { withSnakeCaseFields } from '../canonical-fields.ts';
import {
  cursor,
  customIssueOptions,
  idInput,
  idOutput,
  integer,
  mailAddress,
  pageFields,
  pageLimit,
  storableText,
  tags,
  timestampOutput,
} from '../fields.ts';
import { limits } from '../limits.ts';
import { cursorPage, offsetPage } from '../list-envelope.ts';
import { ownerFiltersOf } from '../owners.ts';

const name = storableText({ min: 1, max: limits.nameCharactersMax });
const recipients = z
  .array(mailAddress)
  .max(limits.outboundRecipientsMax)
  .meta({ description: 'Empty: the contact address of the account.' });

/** `memory_created` or `memory.created`; unknown types are 400 invalid_events. */
const triggerType = storableText({ min: 1, max: limits.nameCharactersMax });
const triggerConditions = withSnakeCaseNames(
  z.strictObject({
    tags: tags.optional(),
    contentContains: storableText({ min: 1, max: limits.nameCharactersMax }).optional(),
  }),
).meta({
  id: 'TriggerConditions',
  description:
    'All conditions must match the subject of the event: it has every tag and contains the text.',
});
const subjectTemplate = storableText({ min: 1, max: limits.mailSubjectCharactersMax });
const bodyTemplate = storableText({ min: 1, max: limits.mailTemplateCharactersMax });
const cooldownMinutes = integer({ min: 0, max: limits.cooldownMinutesMax });
const maxPerDay = integer({ min: 1, max: limits.reactionsPerDayMax });

const reactionFields = {
  name,
  triggerType,
  triggerConditions,
  emailSubjectTemplate: subjectTemplate,
  emailBodyTemplate: bodyTemplate,
  recipients,
  cooldownMinutes,
  maxPerDay,
  isActive: z.boolean(),
};

export const createReactionBody = withSnakeCaseNames(
  z.strictObject({
    ...reactionFields,
    triggerConditions: triggerConditions.default({}),
    recipients: recipients.default([]),
    cooldownMinutes: cooldownMinutes.default(0),
    maxPerDay: maxPerDay.default(100),
    isActive: z.boolean().default(true),
  }),
).meta({ id: 'CreateReaction' });
export const patchReactionBody = withSnakeCaseNames(z.strictObject(reactionFields).partial()).meta({
  id: 'PatchReaction',
});

export const reaction = withSnakeCaseFields(
  z.object({
    id: idOutput,
    name: z.string(),
    triggerType: z.string(),
    triggerConditions: withSnakeCaseFields(
      z.object({
        tags: z.array(z.string()).optional(),
        contentContains: z.string().optional(),
      }),
    ),
    emailSubjectTemplate: z.string(),
    emailBodyTemplate: z.string(),
    recipients: z.array(z.string()),
    cooldownMinutes: z.int(),
    maxPerDay: z.int(),
    isActive: z.boolean(),
    lastTriggeredAt: timestampOutput.nullable(),
    sentToday: z.int(),
    createdAt: timestampOutput,
    updatedAt: timestampOutput,
  }),
).meta({ id: 'Reaction' });
export const reactionPage = offsetPage(reaction);

export const scheduleTypes = ['daily', 'weekly', 'monthly'] as const;

const timezone = storableText({ min: 1, max: 64 }).refine(
  (value) => isTimeZone(value),
  customIssueOptions('invalid_format', 'must be an IANA zone name such as Europe/Vienna'),
);
function isTimeZone(name: string): boolean {
  // Rejects offsets such as +02:00, which have no daylight saving time.
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}
const hour = integer({ min: 0, max: 23 });
const weekday = integer({ min: 1, max: 7 }).meta({ description: '1: Monday, 7: Sunday.' });
const day = integer({ min: 1, max: 31 }).meta({
  description: 'Day of the month; in shorter months the last day.',
});
const maxItems = integer({ min: 1, max: limits.digestItemsMax });

const digestFields = {
  name,
  scheduleType: z.enum(scheduleTypes),
  timezone,
  hour,
  weekday,
  day,
  includeNewMemories: z.boolean(),
  includeHighlights: z.boolean(),
  maxItems,
  tags,
  recipients,
  isActive: z.boolean(),
};

export const createDigestBody = withSnakeCaseNames(
  z.strictObject({
    ...digestFields,
    timezone: timezone.default('UTC'),
    hour: hour.default(8),
    weekday: weekday.default(1),
    day: day.default(1),
    includeNewMemories: z.boolean().default(true),
    includeHighlights: z.boolean().default(true),
    maxItems: maxItems.default(limits.digestItemsDefault),
    tags: tags.default([]),
    recipients: recipients.default([]),
    isActive: z.boolean().default(true),
  }),
).meta({ id: 'CreateDigest' });
export const patchDigestBody = withSnakeCaseNames(z.strictObject(digestFields).partial()).meta({
  id: 'PatchDigest',
});

export const digest = withSnakeCaseFields(
  z.object({
    id: idOutput,
    name: z.string(),
    scheduleType: z.enum(scheduleTypes),
    timezone: z.string(),
    hour: z.int(),
    weekday: z.int(),
    day: z.int(),
    includeNewMemories: z.boolean(),
    includeHighlights: z.boolean(),
    maxItems: z.int(),
    tags: z.array(z.string()),
    recipients: z.array(z.string()),
    isActive: z.boolean(),
    nextRunAt: timestampOutput.nullable(),
    lastSentAt: timestampOutput.nullable(),
    createdAt: timestampOutput,
    updatedAt: timestampOutput,
  }),
).meta({ id: 'Digest' });
export const digestPage = offsetPage(digest);
export const sendDigestResponse = z.object({ job_id: idOutput });

export const outboundKinds = ['answer', 'reaction', 'digest'] as const;
export const outboundStatuses = ['queued', 'sending', 'sent', 'failed', 'bounced'] as const;
export const outboundMail = withSnakeCaseFields(
  z.object({
    id: idOutput,
    kind: z.enum(outboundKinds),
    historyId: idOutput.nullable().meta({ description: 'The received email that it replies to.' }),
    recipient: z.string(),
    subject: z.string(),
    status: z.enum(outboundStatuses),
    attempts: z.int(),
    lastError: z
      .string()
      .nullable()
      .meta({ description: 'Why the email was not sent or bounced.' }),
    isRetryable: z
      .boolean()
      .meta({ description: 'Whether it failed and its content is still stored.' }),
    createdAt: timestampOutput,
    nextAttemptAt: timestampOutput.nullable(),
    sentAt: timestampOutput.nullable(),
  }),
  { others: { attempt_count: 'attempts' } },
).meta({ id: 'OutboundMail', description: 'An outbound email to one recipient.' });
export const listOutboundQuery = z.strictObject({
  status: z.enum(outboundStatuses).optional(),
  recipient: mailAddress.optional(),
  ...ownerFiltersOf('replies to emails'),
  limit: pageLimit,
  cursor: cursor.optional(),
});
export const outboundPage = cursorPage(outboundMail);

export const suppressionReasons = ['stop', 'unsubscribe', 'bounce'] as const;
export const suppression = withSnakeCaseFields(
  z.object({
    email: z.string(),
    reason: z.enum(suppressionReasons),
    detail: z.string().nullable(),
    createdAt: timestampOutput,
  }),
).meta({
  id: 'Suppression',
  description: 'An address that receives no reactions and no digests.',
});
export const listSuppressionsQuery = z.strictObject(pageFields);
export const suppressionPage = offsetPage(suppression);
export const suppressionParams = z.strictObject({ email: mailAddress });

/** Query of the unsubscribe link; the signature prevents unsubscribing other addresses. */
export const unsubscribeQuery = z.strictObject({
  account: idInput('other'),
  email: mailAddress,
  signature: storableText({ min: 1, max: 100 }),
});

export type Reaction = z.output<typeof reaction>;
export type Digest = z.output<typeof digest>;
export type OutboundMail = z.output<typeof outboundMail>;
export type Suppression = z.output<typeof suppression>;
