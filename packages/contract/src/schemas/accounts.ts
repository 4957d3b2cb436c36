import { z } from 'zod';
import { limits } from '../limits.ts';
import { plans } from '../plans.ts';
import {
  customIssue,
  idOut,
  integer,
  jsonOut,
  mailAddress,
  pageFields,
  pagination,
  parseId,
  text,
  timestampIn,
  timestampOut,
} from './fields.ts';

const areas = [
  'memories',
  'sessions',
  'relationships',
  'knowledge',
  'search',
  'clusters',
  'email',
  'webhooks',
  'spaces',
] as const;
export type Area = (typeof areas)[number];
export type Scope = `${Area}:${'read' | 'write'}` | 'admin' | 'operator';

/** Every scope a key can be given over HTTP; `operator` belongs to the first admin key alone. */
export const grantableScopes = [
  ...areas.flatMap((area) => [`${area}:read`, `${area}:write`] as const),
  'admin',
] as const satisfies readonly Scope[];
const everyScope = [...grantableScopes, 'operator'] as const;

const keySpace = z
  .string()
  .refine(
    (value) => value === 'default' || parseId(value, 'other') !== null,
    customIssue('invalid_format', 'must be a UUID or "default"'),
  )
  .transform((value) => parseId(value, 'other') ?? value);

export const createKeyBody = z
  .strictObject({
    name: text({ min: 1, max: limits.nameCharactersMax }),
    scopes: z.array(z.enum(grantableScopes)).min(1).max(grantableScopes.length).optional(),
    space_ids: z.array(keySpace).min(1).max(1_000).nullable().optional(),
    expires_at: timestampIn.nullable().optional(),
  })
  .meta({ id: 'CreateApiKey' });

export const apiKey = z
  .object({
    id: idOut,
    name: z.string(),
    prefix: z.string().meta({ description: 'The visible start of the key.' }),
    scopes: z.array(z.enum(everyScope)),
    space_ids: z.array(z.string()).nullable(),
    expires_at: timestampOut.nullable(),
    revoked_at: timestampOut.nullable(),
    last_used_at: timestampOut.nullable(),
    created_at: timestampOut,
  })
  .meta({ id: 'ApiKey' });

/** The only answer that ever holds the secret. */
export const issuedKey = apiKey.extend({ key: z.string() }).meta({ id: 'IssuedApiKey' });

export const rotateKeyBody = z.strictObject({
  grace_seconds: integer({ min: 0, max: limits.keyGraceSecondsMax }).default(0),
});

/** What happens to mail of senders that no rule names. */
const unknownSenders = ['store', 'reject'] as const;

/** What an account decides for itself. */
export const accountSettings = z
  .object({
    daily_memory_limit: z.int().nullable().meta({
      description: 'New memories a UTC day; null: no limit.',
    }),
    enforce_endpoint_limits: z.boolean().meta({
      description: 'The limits of single endpoints hold on the plan enterprise, too.',
    }),
    allow_custom_relationship_types: z.boolean().meta({
      description: 'Relationships may be of types that are not in the list.',
    }),
    email: z.object({
      accept_unknown: z.enum(unknownSenders).meta({
        description:
          'Mail of senders that no rule allows: store keeps it, with the metadata ' +
          'email_verified: false, as long as there is no allow rule; reject refuses it.',
      }),
    }),
  })
  .meta({ id: 'AccountSettings' });

/** Only what is named changes; null brings a default back. */
const settingsPatchFields = z.strictObject({
  daily_memory_limit: integer({ min: 0, max: 1_000_000_000 }).nullable().optional(),
  enforce_endpoint_limits: z.boolean().nullable().optional(),
  allow_custom_relationship_types: z.boolean().nullable().optional(),
  email: z
    .strictObject({ accept_unknown: z.enum(unknownSenders).nullable().optional() })
    .nullable()
    .optional(),
});

export const accountState = z
  .object({
    id: idOut,
    name: z.string(),
    plan: z.enum(plans),
    suspended: z.boolean().meta({
      description:
        'While true, every key is refused and no webhook calls and mails are sent. When the ' +
        'suspension ends, what is more than a day old is not sent: deliveries and mails are ' +
        'listed as failed with the reason. One digest covers all periods that were missed.',
    }),
    settings: accountSettings,
    contact_email: z.string(),
    created_at: timestampOut,
    updated_at: timestampOut,
  })
  .meta({ id: 'AccountState' });

export const createAccountBody = z.strictObject({
  name: text({ min: 1, max: limits.nameCharactersMax }),
  plan: z.enum(plans).default('free'),
});

const ownAccountFields = {
  name: text({ min: 1, max: limits.nameCharactersMax }).optional(),
  contact_email: mailAddress.nullable().optional(),
  settings: settingsPatchFields.optional(),
};

/** What an account's admin may change of it. */
export const patchOwnAccountBody = z.strictObject(ownAccountFields);

export const patchAccountBody = z.strictObject({
  ...ownAccountFields,
  plan: z.enum(plans).optional(),
  suspended: z.boolean().optional(),
});

const unlimited = z.int().nullable();
const planLimitsOut = z
  .object({
    requests_per_minute: unlimited,
    requests_per_day: unlimited,
    concurrent_requests: unlimited,
    memories: unlimited,
    spaces: unlimited,
    api_keys: unlimited,
    webhooks: unlimited,
    searches_per_month: unlimited,
    embeddings_per_month: unlimited,
    content_bytes: z.int(),
  })
  .meta({ id: 'PlanLimits', description: 'null: unlimited.' });

const usage = z
  .object({
    period: z.string().meta({ description: 'The UTC month that searches and embeddings count.' }),
    memories: z.int(),
    spaces: z.int(),
    api_keys: z.int(),
    webhooks: z.int(),
    searches: z.int(),
    embeddings: z.int(),
    memories_created_today: z.int(),
  })
  .meta({ id: 'Usage' });

export const ownAccount = z
  .object({
    id: idOut,
    name: z.string(),
    plan: z.enum(plans),
    limits: planLimitsOut,
    usage,
    settings: accountSettings,
    contact_email: z.string(),
  })
  .meta({ id: 'Account' });

/** Every change of accounts, keys and webhooks, by the name it has in the audit log. */
export const auditActions = [
  'account.created',
  'account.updated',
  'account.deleted',
  'key.created',
  'key.rotated',
  'key.revoked',
  'token.revoked',
  'webhook.created',
  'webhook.updated',
  'webhook.deleted',
  'deliveries.paused',
  'deliveries.resumed',
] as const;

export const auditQuery = z.strictObject({
  action: z.enum(auditActions).optional(),
  since: timestampIn.optional(),
  until: timestampIn.optional(),
  ...pageFields,
});

export const auditEntry = z
  .object({
    id: idOut,
    action: z.enum(auditActions),
    target_id: idOut.meta({
      description:
        'The account, key, session token or webhook; of deliveries the operator’s account.',
    }),
    actor: z
      .object({ account_id: idOut, key_id: idOut.nullable() })
      .nullable()
      .meta({ description: 'null: the service itself, at its start.' }),
    details: jsonOut.meta({ description: 'What was set; never a secret.' }),
    request_id: z.string(),
    created_at: timestampOut,
  })
  .meta({ id: 'AuditEntry' });
export const auditPage = z.object({ data: z.array(auditEntry), pagination });

export const createTokenBody = z.strictObject({
  expires_in: integer({
    min: limits.tokenSecondsMin,
    max: limits.tokenSecondsMax,
  }).default(limits.tokenSecondsDefault),
});
export const sessionToken = z
  .object({
    id: idOut,
    key_id: idOut.meta({ description: 'The API key that it was made with.' }),
    created_at: timestampOut,
    expires_at: timestampOut,
  })
  .meta({ id: 'SessionToken' });
/** The only answer that ever holds the token. */
export const issuedToken = sessionToken
  .extend({ token: z.string(), token_type: z.literal('Bearer') })
  .meta({ id: 'IssuedSessionToken' });
export const tokenPage = z.object({ data: z.array(sessionToken), pagination });

export const keyPage = z.object({ data: z.array(apiKey), pagination });
export const accountPage = z.object({ data: z.array(accountState), pagination });

export type ApiKey = z.output<typeof apiKey>;
export type AccountState = z.output<typeof accountState>;
export type AccountSettings = z.output<typeof accountSettings>;
export type AuditAction = (typeof auditActions)[number];
export type AuditEntry = z.output<typeof auditEntry>;
export type OwnAccount = z.output<typeof ownAccount>;
