export { authenticateForResource } from './authenticate.ts';
export {
  AuthorizationRejected,
  type AuthorizationRequest,
  denialRedirect,
  readAuthorizationRequest,
} from './authorization-request.ts';
export {
  type BrowserSession,
  endBrowserSession,
  findBrowserSession,
  isKeyRejection,
  sessionSeconds,
  startBrowserSession,
} from './browser-sessions.ts';
export { type ConsentOffer, grantConsent, type OfferedSpace, prepareConsent } from './consent.ts';
export { OAuthError } from './errors.ts';
export { exchangeForTokens } from './exchange.ts';
export { revokeToken } from './grants.ts';
export { pruneOAuth } from './housekeeping.ts';
export { issuerOf, resourceOf } from './issuer.ts';
export { isLoopbackRedirect } from './redirect-uri.ts';
export { registerClient } from './register.ts';
export { type OAuthScope, oauthScopes } from './scopes.ts';
export { formTokenOf, generateSecret, isFormToken } from './secrets.ts';
