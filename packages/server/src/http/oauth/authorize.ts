import type { FastifyReply, FastifyRequest } from 'fastify';
import type { App } from '../../domains/ctx.ts';
import {
  AuthorizationRejected,
  type AuthorizationRequest,
  type BrowserSession,
  denialRedirect,
  endBrowserSession,
  findBrowserSession,
  formTokenOf,
  generateSecret,
  grantConsent,
  isFormToken,
  isKeyRejection,
  OAuthError,
  prepareConsent,
  readAuthorizationRequest,
  sessionSeconds,
  startBrowserSession,
} from '../../domains/oauth/index.ts';
import { clientNetwork } from '../../kernel/client-network.ts';
import { AppError } from '../../kernel/errors.ts';
import { readCookie, setCookie } from './cookies.ts';
import { formOf } from './form-body.ts';
import { pageHeaders } from './html.ts';
import { consentPage, errorPage, signInPage } from './pages.ts';

/** A request to one of the pages. */
interface PageVisit {
  readonly app: App & { readonly requestId: string };
  readonly issuer: string;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly network: string;
  readonly authorization: AuthorizationRequest;
}

type RegisterPage = (
  method: 'GET' | 'POST',
  url: string,
  handler: (issuer: string, request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>,
) => void;

/** The pages of sign-in and consent. Each repeats the query of the authorization request. */
export function serveAuthorizationPages(app: App, register: RegisterPage): void {
  const visit =
    (show: (visit: PageVisit) => Promise<FastifyReply>) =>
    async (issuer: string, request: FastifyRequest, reply: FastifyReply) => {
      if (request.method === 'POST') requireOwnOrigin(issuer, request);
      const network = clientNetwork(request.ip ?? '');
      const query = new URLSearchParams(queryOf(request.url)).toString();
      const authorization = await readAuthorizationRequest(app, issuer, { query, network });
      const requestApp = { ...app, requestId: request.id };
      return show({ app: requestApp, issuer, request, reply, network, authorization });
    };
  register('GET', '/oauth/authorize', visit(showAuthorization));
  register('POST', '/oauth/sign-in', visit(signIn));
  register('POST', '/oauth/consent', visit(decide));
  register('POST', '/oauth/sign-out', visit(signOut));
}

const queryOf = (url: string): string => (url.includes('?') ? url.slice(url.indexOf('?') + 1) : '');

/** A form of another site: it must not act for the person. */
function requireOwnOrigin(issuer: string, { headers: { origin } }: FastifyRequest): void {
  if (origin === issuer) return;
  throw new OAuthError('access_denied', 'The form was sent by another site.', { status: 403 });
}

const sessionOf = ({ app, issuer, request }: PageVisit): Promise<BrowserSession | null> =>
  findBrowserSession(app, readCookie(request, issuer, 'mneme_session'));

async function showAuthorization(visit: PageVisit): Promise<FastifyReply> {
  const session = await sessionOf(visit);
  return session === null ? showSignIn(visit, null) : showConsent(visit, session, null);
}

/** The form is of this browser: nobody can sign a person in to another account. */
function showSignIn(visit: PageVisit, error: AppError | null): FastifyReply {
  const { app, issuer, request, reply, authorization } = visit;
  const existing = readCookie(request, issuer, 'mneme_sign_in');
  const value = existing ?? generateSecret(app.ids, 'code');
  setCookie(reply, issuer, { name: 'mneme_sign_in', value, seconds: sessionSeconds });
  const { query, redirectUri } = authorization;
  const formToken = formTokenOf(app, 'sign-in', value, query);
  const form = { query, formToken, error: error === null ? null : error.message };
  // 401 would need a challenge, which browsers answer with a dialog of their own.
  const status = error === null ? 200 : error.status === 401 ? 422 : error.status;
  return reply.code(status).headers(pageHeaders(redirectUri)).send(signInPage(authorization, form));
}

async function signIn(visit: PageVisit): Promise<FastifyReply> {
  const { app, issuer, request, network, authorization } = visit;
  const form = formOf(request);
  const nonce = readCookie(request, issuer, 'mneme_sign_in') ?? '';
  requireFormToken(app, form, 'sign-in', nonce, authorization.query);
  try {
    const key = form.get('api_key')?.trim() ?? '';
    const secret = await startBrowserSession(app, key, network);
    const cookie = { name: 'mneme_session', value: secret, seconds: sessionSeconds } as const;
    setCookie(visit.reply, issuer, cookie);
  } catch (error) {
    if (isKeyRejection(error) || (error instanceof AppError && error.status === 429)) {
      return showSignIn(visit, error);
    }
    throw error;
  }
  return showAgain(visit);
}

/** By GET, so that reloading the page sends no form again. */
const showAgain = ({ reply, authorization }: PageVisit): FastifyReply =>
  reply.redirect(`/oauth/authorize?${authorization.query}`, 303);

async function showConsent(
  { app, reply, authorization }: PageVisit,
  session: BrowserSession,
  error: OAuthError | null,
): Promise<FastifyReply> {
  const offer = await prepareConsent(app, session, authorization);
  const { query, redirectUri } = authorization;
  const formToken = formTokenOf(app, 'consent', session.secret, query);
  const form = { query, formToken, error: error === null ? null : error.message };
  return reply
    .code(error === null ? 200 : 422)
    .headers(pageHeaders(redirectUri))
    .send(consentPage(authorization, session, offer, form));
}

async function decide(visit: PageVisit): Promise<FastifyReply> {
  const { app, request, reply, authorization } = visit;
  const session = await sessionOf(visit);
  if (session === null) return showAgain(visit);
  const form = formOf(request);
  requireFormToken(app, form, 'consent', session.secret, authorization.query);
  if (form.get('decision') !== 'allow') return reply.redirect(denialRedirect(authorization), 303);
  try {
    const choice = {
      scopes: form.getAll('scope'),
      spaces: form.get('spaces') === 'some' ? form.getAll('space') : null,
      userId: form.get('user_id') ?? '',
    };
    return reply.redirect(await grantConsent(app, session, authorization, choice), 303);
  } catch (error) {
    if (error instanceof OAuthError) return showConsent(visit, session, error);
    throw error;
  }
}

async function signOut(visit: PageVisit): Promise<FastifyReply> {
  const { app, issuer, request, reply, authorization } = visit;
  const session = await sessionOf(visit);
  if (session === null) return showAgain(visit);
  requireFormToken(app, formOf(request), 'consent', session.secret, authorization.query);
  await endBrowserSession(app, session.secret);
  setCookie(reply, issuer, { name: 'mneme_session', value: '', seconds: 0 });
  return showAgain(visit);
}

function requireFormToken(app: App, form: URLSearchParams, ...parts: readonly string[]): void {
  if (isFormToken(app, form.get('form_token') ?? '', ...parts)) return;
  const description = 'The form has expired, or is not of this browser.';
  throw new OAuthError('access_denied', description, { status: 403 });
}

/** Errors of the pages. Those that the client may receive have a link to it. */
export function sendPageError(reply: FastifyReply, error: unknown): FastifyReply {
  if (error instanceof AuthorizationRejected) {
    return reply.code(400).headers(pageHeaders()).send(errorPage(error.message, error.location));
  }
  const isKnown = error instanceof OAuthError || (error instanceof AppError && error.status < 500);
  if (!isKnown) throw error;
  return reply
    .code(error.status)
    .headers({ ...(error instanceof AppError ? error.headers : {}), ...pageHeaders() })
    .send(errorPage(error.message));
}
