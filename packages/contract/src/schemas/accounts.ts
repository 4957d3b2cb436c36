import { z } from 'zod';
import { withCanonicalFields } from '../canonical-fields.ts';
import { detectUpdates } from '../detect-updates.ts';
import {
  customIssueOptions,
  idOutput,
  integer,
  jsonObjectOutput,
  mailAddress,
  pageFields,
  parseId,
  storableText,
  timestampInput,
  timestampOutput,
} from '../fields.ts';
import { limits } from '../limits.ts';
import { offsetPage } from '../list-envelope.ts';
import { ownerId } from '../owners.ts';
import { plans } from '../plans.ts';

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
export type ScopeArea = (typeof areas)[number];
export type Scope = `${ScopeArea}:${'read' | 'write'}` | 'admin' | 'operator';

/** Scopes that a key can receive over HTTP; only the first admin key has `operator`. */
export const grantableScopes = [
  ...areas.flatMap((area) => [`${area}:read`, `${area}:write`] as const),
  'admin',
] as const satisfies readonly Scope[];
const everyScope = [...grantableScopes, 'operator'] as const;

const keySpace = z
  .string()
  .refine(
    (value) => value === 'default' || parseId(value, 'other') !== null,
    customIssueOptions('invalid_format', 'must be a UUID or "default"'),
  )
  .transform((value) => parseId(value, 'other') ?? value);

export const createKeyBody = z
  .strictObject({
    name: storableText({ min: 1, max: limits.nameCharactersMax }),
    scopes: z.array(z.enum(grantableScopes)).min(1).max(grantableScopes.length).optional(),
    space_ids: z.array(keySpace).min(1).max(1_000).nullable().optional(),
    expires_at: timestampInput.nullable().optional(),
  })
  .meta({ id: 'CreateApiKey' });

export const apiKey = z
  .object({
    id: idOutput,
    name: z.string(),
    prefix: z
      .string()
      .meta({ description: 'The first characters of the key, which are not secret.' }),
    scopes: z.array(z.enum(everyScope)),
    space_ids: z.array(z.string()).nullable(),
    expires_at: timestampOutput.nullable(),
    revoked_at: timestampOutput.nullable(),
    last_used_at: timestampOutput.nullable(),
    created_at: timestampOutput,
  })
  .meta({ id: 'ApiKey' });

/** The only response that contains the secret. */
export const issuedKey = apiKey.extend({ key: z.string() }).meta({ id: 'IssuedApiKey' });

/** `grace_seconds`: how long the previous secret stays valid. */
export const rotateKeyBody = z.strictObject({
  grace_seconds: integer({ min: 0, max: limits.keyGraceSecondsMax }).default(0),
});

/** Treatment of email from senders that no rule matches. */
const unknownSenders = ['store', 'reject'] as const;

/** Settings that an account can change. */
export const accountSettings = z
  .object({
    daily_memory_limit: z.int().nullable().meta({
      description: 'Maximum new memories per UTC day; null: no limit.',
    }),
    enforce_endpoint_limits: z.boolean().meta({
      description: 'Applies the limits of single endpoints on the plan enterprise, too.',
    }),
    allow_custom_relationship_types: z.boolean().meta({
      description: 'Allows relationship types that are not in the list.',
    }),
    detect_updates: detectUpdates.meta({
      description:
        'What a create does with older memories that the new one may outdate, unless it tells ' +
        'otherwise.',
    }),
    email: z.object({
      accept_unknown: z.enum(unknownSenders).meta({
        description:
          'Email from senders that no rule allows. store: accepts it, with the metadata ' +
          'email_verified: false, unless the account has an allow rule; reject: rejects it.',
      }),
    }),
  })
  .meta({ id: 'AccountSettings' });

/** Partial settings; null restores a default. */
const settingsPatchFields = z.strictObject({
  daily_memory_limit: integer({ min: 0, max: 1_000_000_000 }).nullable().optional(),
  enforce_endpoint_limits: z.boolean().nullable().optional(),
  allow_custom_relationship_types: z.boolean().nullable().optional(),
  detect_updates: detectUpdates.nullable().optional(),
  email: z
    .strictObject({ accept_unknown: z.enum(unknownSenders).nullable().optional() })
    .nullable()
    .optional(),
});

export const accountState = z
  .object({
    id: idOutput,
    name: z.string(),
    plan: z.enum(plans),
    suspended: z.boolean().meta({
      description:
        'While true, every key is rejected, and no webhook calls or emails are sent. After the ' +
        'suspension, deliveries and emails that are more than a day old are not sent: they are ' +
        'listed as failed, with the reason. One digest covers all missed periods.',
    }),
    settings: accountSettings,
    contact_email: z.string(),
    created_at: timestampOutput,
    updated_at: timestampOutput,
  })
  .meta({ id: 'AccountState' });

export const createAccountBody = z.strictObject({
  name: storableText({ min: 1, max: limits.nameCharactersMax }),
  plan: z.enum(plans).default('free'),
});

const ownAccountFields = {
  name: storableText({ min: 1, max: limits.nameCharactersMax }).optional(),
  contact_email: mailAddress.nullable().optional(),
  settings: settingsPatchFields.optional(),
};

/** Fields that an admin key of the account can change. */
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
  .meta({ id: 'PlanLimits', description: 'Limits of the plan; null: unlimited.' });

const usage = z
  .object({
    period: z.string().meta({
      description: 'The UTC month in which searches and embeddings are counted, as YYYY-MM.',
    }),
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
    id: idOutput,
    name: z.string(),
    plan: z.enum(plans),
    limits: planLimitsOut,
    usage,
    settings: accountSettings,
    contact_email: z.string(),
    embedding: z.object({ model: z.string(), dimensions: z.int() }).meta({
      description:
        'The model that the account is searched by. The field `embedding` of a memory takes ' +
        'vectors of this model.',
    }),
  })
  .meta({ id: 'Account' });

/** Names of the audited changes of accounts, keys, tokens, webhooks and deliveries. */
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
  'queue.paused',
  'queue.resumed',
  'mcp.remembered',
  'mcp.forgotten',
  'grant.created',
  'grant.revoked',
] as const;

export const auditQuery = z.strictObject({
  action: z.enum(auditActions).optional(),
  since: timestampInput.optional(),
  until: timestampInput.optional(),
  ...pageFields,
});

export const auditEntry = z
  .object({
    id: idOutput,
    action: z.enum(auditActions),
    target_id: idOutput.meta({
      description:
        'The account, key, session token, webhook, memory or OAuth grant; for deliveries the ' +
        'operator’s account.',
    }),
    actor: withCanonicalFields(z.object({ account_id: idOutput, key_id: idOutput.nullable() }), {
      api_key_id: 'key_id',
    })
      .nullable()
      .meta({ description: 'null: the service itself, at start-up.' }),
    details: jsonObjectOutput.meta({ description: 'The new values; never a secret.' }),
    request_id: z.string(),
    created_at: timestampOutput,
  })
  .meta({ id: 'AuditEntry' });
export const auditPage = offsetPage(auditEntry);

/** `expires_in`: lifetime of the token in seconds. `user_id`: limits it to one user's memories. */
export const createTokenBody = z
  .strictObject({
    expires_in: integer({
      min: limits.tokenSecondsMin,
      max: limits.tokenSecondsMax,
    }).default(limits.tokenSecondsDefault),
    user_id: ownerId.optional().meta({
      description: 'The token sees and writes only memories of this user.',
    }),
    scopes: z.array(z.enum(grantableScopes)).min(1).max(grantableScopes.length).optional().meta({
      description:
        'The token has those of these scopes that its key has. Default: all scopes of its key.',
    }),
    renewable_for: integer({
      min: limits.tokenSecondsMin,
      max: limits.tokenRenewalSecondsMax,
    })
      .optional()
      .meta({
        description:
          'For how many seconds POST /auth/tokens/renew renews the token, also after it expired. ' +
          'Default: it cannot be renewed.',
      }),
    single_use: z
      .boolean()
      .default(false)
      .meta({
        description:
          'For a sign-in link: the token is good for one renewal, which gives another token, ' +
          'before it expires, and for no other request. Requires renewable_for.',
      }),
  })
  .refine(({ single_use, renewable_for }) => !single_use || renewable_for !== undefined, {
    path: ['renewable_for'],
    ...customIssueOptions('required', 'is required with single_use'),
  });
export const renewTokenBody = z.strictObject({
  token: storableText({ min: 1, max: limits.tokenCharactersMax }),
});
export const sessionToken = withCanonicalFields(
  z.object({
    id: idOutput,
    key_id: idOutput.meta({ description: 'The API key that created the token.' }),
    user_id: z.string().nullable().meta({
      description: 'The user whose memories alone the token sees and writes.',
    }),
    created_at: timestampOutput,
    expires_at: timestampOutput,
    renewable_until: timestampOutput.nullable().meta({
      description: 'Until when the token can be renewed; null: it cannot.',
    }),
    single_use: z.boolean().meta({ description: 'Only good for one renewal.' }),
    scopes: z.array(z.enum(grantableScopes)).nullable().meta({
      description: 'The scopes of its key that the token is limited to; null: all of them.',
    }),
  }),
  { api_key_id: 'key_id' },
).meta({ id: 'SessionToken' });
/** The only response that contains the token. */
export const issuedToken = sessionToken
  .extend({ token: z.string(), token_type: z.literal('Bearer') })
  .meta({ id: 'IssuedSessionToken' });
export const tokenPage = offsetPage(sessionToken);

export const keyPage = offsetPage(apiKey);
export const accountPage = offsetPage(accountState);

export type ApiKey = z.output<typeof apiKey>;
export type AccountState = z.output<typeof accountState>;
export type AccountSettings = z.output<typeof accountSettings>;
export type AuditAction = (typeof auditActions)[number];
export type AuditEntry = z.output<typeof auditEntry>;
export type OwnAccount = z.output<typeof ownAccount>;
