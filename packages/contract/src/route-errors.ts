import type { ErrorCode } from './errors.ts';
import type { Route } from './route.ts';

/** Any route can reject a malformed URL, an unknown query field or an unexpected body. */
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
  'user_access_denied',
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

/** The error code of a request without credentials. */
export const missingCredentialsCode = ({
  path,
}: Pick<Route, 'path'>): 'missing_auth' | 'missing_api_key' =>
  path.startsWith('/cli-sessions') ? 'missing_auth' : 'missing_api_key';

/**
 * Every error code that a route can return: its own codes, and those of its access, method and
 * features.
 */
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
