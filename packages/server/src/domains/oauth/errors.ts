/** Error codes of RFC 6749, RFC 7009, RFC 7591 and RFC 8707. */
export type OAuthErrorCode =
  | 'access_denied'
  | 'invalid_client'
  | 'invalid_client_metadata'
  | 'invalid_grant'
  | 'invalid_redirect_uri'
  | 'invalid_request'
  | 'invalid_scope'
  | 'invalid_target'
  | 'server_error'
  | 'temporarily_unavailable'
  | 'unsupported_grant_type'
  | 'unsupported_response_type'
  | 'unsupported_token_type';

/** An error in the form of RFC 6749. Its description is public. */
export class OAuthError extends Error {
  readonly code: OAuthErrorCode;
  readonly status: number;

  constructor(code: OAuthErrorCode, description: string, extras: { status?: number } = {}) {
    super(description);
    this.name = 'OAuthError';
    this.code = code;
    this.status = extras.status ?? 400;
  }
}
