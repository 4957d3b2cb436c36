import { z } from 'zod';
import { limits } from '../limits.ts';
import {
  idOf,
  idOut,
  integer,
  limitField,
  offsetField,
  pagination,
  parseId,
  text,
  timestampIn,
  timestampOut,
} from './common.ts';

export const plans = ['free', 'pro', 'max', 'enterprise'] as const;
export type Plan = (typeof plans)[number];

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
  .refine((value) => value === 'default' || parseId(value, 'other') !== null, {
    message: 'must be a UUID or "default"',
    params: { fault: 'invalid_format' },
  })
  .transform((value) => parseId(value, 'other') ?? value);

export const createKey = z
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

export const rotateKey = z.strictObject({
  grace_seconds: integer({ min: 0, max: limits.keyGraceSecondsMax }).default(0),
});

export const accountState = z
  .object({
    id: idOut,
    name: z.string(),
    plan: z.enum(plans),
    suspended: z.boolean(),
    created_at: timestampOut,
    updated_at: timestampOut,
  })
  .meta({ id: 'AccountState' });

export const createAccount = z.strictObject({
  name: text({ min: 1, max: limits.nameCharactersMax }),
  plan: z.enum(plans).default('free'),
});

export const patchAccount = z.strictObject({
  name: text({ min: 1, max: limits.nameCharactersMax }).optional(),
  plan: z.enum(plans).optional(),
  suspended: z.boolean().optional(),
});

export const plainParams = z.strictObject({ id: idOf('other') });
export const listQuery = z.strictObject({
  limit: limitField({ max: limits.pageMax, fallback: limits.pageDefault }),
  offset: offsetField,
});
export const deleteAccountQuery = z.strictObject({ confirm: z.boolean().default(false) });
export const keyPage = z.object({ data: z.array(apiKey), pagination });
export const accountPage = z.object({ data: z.array(accountState), pagination });

export type ApiKey = z.output<typeof apiKey>;
export type AccountState = z.output<typeof accountState>;
