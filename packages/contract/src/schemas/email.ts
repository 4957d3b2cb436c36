import { z } from 'zod';
import { withSnakeCaseNames } from '../aliases.ts';
import { withSnakeCaseFields } from '../canonical-fields.ts';
import {
  checkDespiteOtherIssues,
  customIssueOptions,
  idInput,
  idOutput,
  integer,
  mailAddress,
  pageFields,
  storableText,
  timestampOutput,
} from '../fields.ts';
import { limits } from '../limits.ts';
import { offsetPage } from '../list-envelope.ts';
import { ownerFields, ownerFiltersOf, ownerNames, ownerOutputs } from '../owners.ts';

/** Records of this area are in camelCase, as in the published API; owners are as elsewhere. */
export const emailAddress = withSnakeCaseFields(
  z.object({
    id: idOutput,
    email: z.string(),
    localPart: z.string(),
    domain: z.string(),
    isActive: z.boolean(),
    createdAt: timestampOutput,
    acceptsUntil: timestampOutput.nullable().meta({
      description: 'For a former address: how long it still accepts email.',
    }),
  }),
).meta({ id: 'EmailAddress' });

export const createEmailAddressBody = z.strictObject({
  regenerate: z.boolean().default(false).meta({
    description: 'Replaces the current address, which stops working immediately.',
  }),
});

export const rotateEmailAddressBody = withSnakeCaseNames(
  z.strictObject({
    gracePeriodDays: integer({ min: 0, max: limits.mailGraceDaysMax }).default(
      limits.mailGraceDaysDefault,
    ),
  }),
);

export const rotateEmailAddressResponse = withSnakeCaseFields(
  z.object({
    id: idOutput,
    email: z.string(),
    previousEmail: z.string(),
    gracePeriodDays: z.int(),
    createdAt: timestampOutput,
  }),
);

export const emailAddressPage = offsetPage(emailAddress);

export const mailStatuses = [
  'received',
  'processing',
  'completed',
  'failed',
  'rejected',
  'rate_limited',
] as const;
export const mailCommands = ['store', 'search', 'recall', 'forget', 'help', 'stop'] as const;
export const intentMethods = ['subject', 'body', 'default'] as const;

export const parsedIntent = z
  .object({
    command: z.enum(mailCommands),
    content: z.string(),
    metadata: z.object({
      space: z.string().nullable(),
      tags: z.array(z.string()),
      priority: z.int().nullable(),
    }),
    method: z.enum(intentMethods).meta({
      description: 'Where the command was found; default: there was none.',
    }),
  })
  .meta({ id: 'ParsedIntent' });

/** Authentication results of RFC 8601, such as pass, fail, none or temperror. */
export const mailAuthentication = z.object({
  spf: z.string(),
  dkim: z.string(),
  dmarc: z.string(),
  arc: z.string(),
});

export const mail = withSnakeCaseFields(
  z.object({
    id: idOutput,
    sender: z.string(),
    recipient: z.string(),
    subject: z.string(),
    bodyPlain: z.string(),
    status: z.enum(mailStatuses),
    reason: z.string().nullable().meta({ description: 'Why the email was rejected or failed.' }),
    parsedIntent: parsedIntent.nullable(),
    responseMemoryId: idOutput.nullable(),
    messageId: z.string().nullable(),
    ...ownerOutputs,
    authentication: mailAuthentication.nullable(),
    verified: z
      .boolean()
      .nullable()
      .meta({
        description:
          'Whether a rule allows the author, and SPF, DKIM or DMARC authenticates the domain of ' +
          'the From field. Only verified email receives a reply or runs commands other than ' +
          'store. null: not checked, or rejected earlier.',
      }),
    createdAt: timestampOutput,
    processedAt: timestampOutput.nullable(),
  }),
  { except: ['bodyPlain', 'parsedIntent'] },
).meta({ id: 'Mail' });

export const listMailsQuery = z.strictObject({
  ...pageFields,
  status: z.enum(mailStatuses).optional(),
  ...ownerFiltersOf('emails'),
});
export const mailPage = offsetPage(mail);

export const senderRuleTypes = ['allow', 'block'] as const;

const senderPattern = storableText({ min: 1, max: limits.senderPatternCharactersMax }).refine(
  (value) => /^\S+$/.test(value),
  customIssueOptions(
    'invalid_format',
    'must be an address pattern without spaces; * matches any characters',
  ),
);

export const senderRule = withSnakeCaseFields(
  z.object({
    id: idOutput,
    emailPattern: z.string(),
    ruleType: z.enum(senderRuleTypes),
    reason: z.string().nullable(),
    ...ownerOutputs,
    createdAt: timestampOutput,
  }),
).meta({ id: 'SenderRule' });

export const createSenderRuleBody = withSnakeCaseNames(
  z.strictObject({
    emailPattern: senderPattern,
    ruleType: z.enum(senderRuleTypes),
    reason: storableText({ max: limits.descriptionCharactersMax }).nullable().default(null),
    ...ownerFields,
  }),
)
  .superRefine((rule, context) => {
    if (rule.ruleType !== 'block') return;
    for (const name of ownerNames) {
      if (rule[name] === undefined) continue;
      const issue = customIssueOptions('invalid_format', 'requires the ruleType allow');
      context.addIssue({ code: 'custom', path: [name], ...issue });
    }
  }, checkDespiteOtherIssues)
  .meta({ id: 'CreateSenderRule' });

export const listSenderRulesQuery = withSnakeCaseNames(
  z.strictObject({
    ...pageFields,
    ruleType: z.enum(senderRuleTypes).optional(),
    ...ownerFiltersOf('rules'),
  }),
);
export const senderRulePage = offsetPage(senderRule);
export const senderRuleParams = z.strictObject({ pattern: senderPattern });

export const checkSenderBody = z.strictObject({ email: mailAddress });
export const checkSenderResponse = withSnakeCaseFields(
  z.object({
    allowed: z.boolean(),
    reason: z.string().nullable(),
    matchedRule: senderRule.nullable(),
  }),
);

export const attachment = withSnakeCaseFields(
  z.object({
    id: idOutput,
    mailId: idOutput,
    filename: z.string(),
    contentType: z.string(),
    size: z.int().meta({ description: 'Bytes.' }),
    sha256: z.string(),
    memoryId: idOutput
      .nullable()
      .meta({ description: 'The memory that was created from its text.' }),
    createdAt: timestampOutput,
  }),
  { others: { history_id: 'mailId', mime_type: 'contentType', file_size: 'size' } },
).meta({ id: 'Attachment' });

export const attachmentPage = offsetPage(attachment);

/** `expiresIn`: lifetime of the link in seconds. */
export const attachmentDownloadQuery = withSnakeCaseNames(
  z.strictObject({
    expiresIn: integer({ min: limits.linkSecondsMin, max: limits.linkSecondsMax }).default(
      limits.linkSecondsDefault,
    ),
  }),
);
export const downloadLink = withSnakeCaseFields(z.object({ url: z.string(), expiresIn: z.int() }));

export const signedLinkQuery = z.strictObject({
  expires: integer({ min: 0, max: 99_999_999_999 }),
  signature: storableText({ min: 1, max: 100 }),
});

/** The envelope as a relay reports it; missing fields are read from the headers. */
export const inboundQuery = z.strictObject({
  recipient: mailAddress.optional(),
  sender: mailAddress.optional(),
  ip: storableText({ min: 2, max: 45 })
    .optional()
    .meta({ description: 'IP address of the SMTP client, for SPF.' }),
  helo: storableText({ min: 1, max: 255 }).optional(),
  verified: z.boolean().default(false).meta({
    description: 'The relay has already authenticated the From field.',
  }),
  ...ownerFields,
});
export const inboundMailResponse = z.object({
  history_id: idInput('other'),
  status: z.enum(mailStatuses),
});

export type EmailAddress = z.output<typeof emailAddress>;
export type Mail = z.output<typeof mail>;
export type MailStatus = Mail['status'];
export type MailCommand = (typeof mailCommands)[number];
export type ParsedIntent = z.output<typeof parsedIntent>;
export type MailAuthentication = z.output<typeof mailAuthentication>;
export type SenderRule = z.output<typeof senderRule>;
export type Attachment = z.output<typeof attachment>;
