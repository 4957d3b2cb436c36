import { limits } from './limits.ts';

export const plans = ['free', 'pro', 'max', 'enterprise'] as const;
export type Plan = (typeof plans)[number];

/**
 * Limits of a plan; null means unlimited. Request limits apply to each API key, the others to the
 * account. `content_bytes` is the maximum content of one memory.
 */
export interface PlanLimits {
  readonly requests_per_minute: number | null;
  readonly requests_per_day: number | null;
  readonly concurrent_requests: number | null;
  readonly memories: number | null;
  readonly spaces: number | null;
  readonly api_keys: number | null;
  readonly webhooks: number | null;
  readonly searches_per_month: number | null;
  readonly embeddings_per_month: number | null;
  readonly content_bytes: number;
}

/** The published limits (part B, limits). */
export const planLimits = {
  free: {
    requests_per_minute: 60,
    requests_per_day: 10_000,
    concurrent_requests: 5,
    memories: 1_000,
    spaces: 3,
    api_keys: 3,
    webhooks: 1,
    searches_per_month: 5_000,
    embeddings_per_month: 5_000,
    content_bytes: 4_096,
  },
  pro: {
    requests_per_minute: 300,
    requests_per_day: 100_000,
    concurrent_requests: 20,
    memories: 100_000,
    spaces: null,
    api_keys: 10,
    webhooks: 10,
    searches_per_month: 500_000,
    embeddings_per_month: 500_000,
    content_bytes: 32_768,
  },
  max: {
    requests_per_minute: 1_000,
    requests_per_day: 500_000,
    concurrent_requests: 50,
    memories: 500_000,
    spaces: null,
    api_keys: 50,
    webhooks: 50,
    searches_per_month: 5_000_000,
    embeddings_per_month: 5_000_000,
    content_bytes: 131_072,
  },
  enterprise: {
    requests_per_minute: null,
    requests_per_day: null,
    concurrent_requests: null,
    memories: null,
    spaces: null,
    api_keys: null,
    webhooks: null,
    searches_per_month: null,
    embeddings_per_month: null,
    content_bytes: 1_048_576,
  },
} as const satisfies Record<Plan, PlanLimits>;

/** Maximum bytes of a bulk body, by plan. */
export const bulkBodyBytesByPlan = {
  free: 8 * 1024 * 1024,
  pro: 16 * 1024 * 1024,
  max: 32 * 1024 * 1024,
  enterprise: limits.bulkBodyBytesMax,
} as const satisfies Record<Plan, number>;

/**
 * Requests per minute of one API key to single routes. A route names its limit; routes with the
 * same name share it. They apply to every plan except enterprise, where the account setting
 * enforce_endpoint_limits enables them.
 */
export const endpointLimits = {
  'memories.create': 60,
  'memories.bulk': 10,
  'memories.list': 300,
  'memories.delete': 60,
  search: 120,
  'entities.merge': 10,
  email: 1_000,
} as const;

/**
 * Maximum emails that one address accepts within a window of `seconds`. Applied to the same plans
 * as the limits above.
 */
export const inboundMailLimits = [
  { seconds: 60, limit: 10 },
  { seconds: 3_600, limit: 100 },
] as const;

export type EndpointLimitName = keyof typeof endpointLimits;
