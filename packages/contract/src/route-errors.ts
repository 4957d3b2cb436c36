import type { ErrorCode } from './errors.ts';
import type { Route } from './route.ts';

/** An odd URL, an unknown query field and a body that nobody asked for are refused anywhere. */
const commonCodes: readonly ErrorCode[] = [
  'invalid_request',
  'validation_error',
  'internal_error',
  'storage_error',
  'storage_damaged',
  'service_unavailable',
];
const authenticationCodes: readonly ErrorCode[] = [
  'invalid_api_key',
  'expired_api_key',
  'revoked_api_key',
  'expired_token',
  'insufficient_permissions',
  'rate_limit_exceeded',
  'concurrent_limit_exceeded',
];
const bodyCodes: readonly ErrorCode[] = [
  'invalid_json',
  'payload_too_large',
  'unsupported_media_type',
];
const idempotencyCodes: readonly ErrorCode[] = [
  'idempotency_key_reused',
  'idempotency_in_progress',
];

/** What a request without any credentials is told. */
export const missingCredentialsCode = ({
  path,
}: Pick<Route, 'path'>): 'missing_auth' | 'missing_api_key' =>
  path.startsWith('/cli-sessions') ? 'missing_auth' : 'missing_api_key';

/** Every code that a route can answer: its own, and those it shares with others of its kind. */
export function errorCodesOf(route: Route): ReadonlySet<ErrorCode> {
  return new Set<ErrorCode>([
    ...commonCodes,
    ...(route.access === 'public' ? [] : [missingCredentialsCode(route), ...authenticationCodes]),
    ...(route.method === 'GET' ? [] : bodyCodes),
    ...(route.notFound ? [route.notFound] : []),
    ...(route.idempotent ? idempotencyCodes : []),
    ...route.errors,
  ]);
}
