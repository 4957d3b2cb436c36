import { createHash, randomBytes } from 'node:crypto';
import type { ServiceOverrides } from '../../../packages/server/src/context.ts';
import type { OutboundFetch } from '../../../packages/server/src/providers/fetch/index.ts';
import { findFreePort } from '../../support/free-port.ts';
import { type engines, type Service, startService } from '../../support/service.ts';

export const clientId = 'https://client.example.com/oauth/client.json';
export const redirectUri = 'https://client.example.com/callback';
const otherClientId = 'https://other.example.com/client.json';

/** Metadata documents by their URLs; tests add their own. */
const createDocuments = () => {
  const documents = new Map<string, Record<string, unknown>>();
  const add = (url: string, metadata: Record<string, unknown> = {}): void => {
    documents.set(url, {
      client_id: url,
      client_name: 'Test client',
      redirect_uris: [redirectUri, 'http://127.0.0.1/callback'],
      ...metadata,
    });
  };
  add(clientId);
  add(otherClientId, { redirect_uris: ['https://other.example.com/callback'] });
  const fetchOutside: OutboundFetch = async (url) => ({
    status: documents.has(url) ? 200 : 404,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(documents.get(url)),
    timeMs: 1,
  });
  return { add, fetchOutside };
};

export interface OAuthService extends Service {
  readonly documents: ReturnType<typeof createDocuments>;
}

/** A service whose public URL is its own address. */
export async function startOAuthService(
  engine: (typeof engines)[number],
  { env = {}, overrides = {} }: { env?: Record<string, string>; overrides?: ServiceOverrides } = {},
): Promise<OAuthService> {
  const port = await findFreePort();
  const documents = createDocuments();
  const service = await startService(engine, {
    env: { MNEME_PORT: String(port), MNEME_PUBLIC_URL: `http://127.0.0.1:${port}`, ...env },
    overrides: { fetchOutside: documents.fetchOutside, ...overrides },
  });
  return { ...service, documents };
}

export interface Pkce {
  readonly verifier: string;
  readonly challenge: string;
}

export function createPkce(): Pkce {
  const verifier = randomBytes(32).toString('base64url');
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') };
}

export type Fields = Readonly<Record<string, string | readonly string[] | undefined>>;

export function toForm(fields: Fields): URLSearchParams {
  const form = new URLSearchParams();
  for (const [name, value] of Object.entries(fields)) {
    for (const one of [value ?? []].flat()) form.append(name, one);
  }
  return form;
}

/** The parameters of a valid request; undefined leaves one out. */
export const requestFields = (url: string, pkce: Pkce, changes: Fields = {}): Fields => ({
  response_type: 'code',
  client_id: clientId,
  redirect_uri: redirectUri,
  code_challenge: pkce.challenge,
  code_challenge_method: 'S256',
  resource: `${url}/mcp`,
  state: 'state of the client',
  ...changes,
});

/** A page, or where the browser was sent. */
export interface PageAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly html: string;
  readonly location: URL | null;
}

/** A person with a browser: cookies, forms and nothing else. */
export class TestBrowser {
  readonly url: string;
  readonly cookies = new Map<string, string>();

  constructor(url: string) {
    this.url = url;
  }

  /** Does not follow redirects to other sites. */
  async open(path: string, init: RequestInit = {}): Promise<PageAnswer> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(new URL(path, this.url), {
      redirect: 'manual',
      ...init,
      headers: { ...(cookie === '' ? {} : { cookie }), ...init.headers },
    });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === '') this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
    const html = await response.text();
    const { status, headers } = response;
    const to = headers.get('location');
    const location = to === null ? null : new URL(to, this.url);
    if (location?.origin === new URL(this.url).origin) return this.open(location.href);
    return { status, headers, html, location };
  }

  authorize(fields: Fields): Promise<PageAnswer> {
    return this.open(`/oauth/authorize?${toForm(fields)}`);
  }

  /** Sends the first form of a page with its hidden fields and these. */
  submit(page: PageAnswer, fields: Fields, origin: string | null = this.url): Promise<PageAnswer> {
    const { action, hidden } = readForm(page.html);
    return this.post(action, { ...hidden, ...fields }, origin);
  }

  post(action: string, fields: Fields, origin: string | null = this.url): Promise<PageAnswer> {
    return this.open(action, {
      method: 'POST',
      body: toForm(fields),
      headers: origin === null ? {} : { origin },
    });
  }

  /** Opens the request and signs in. */
  async signIn(fields: Fields, key: string): Promise<PageAnswer> {
    return this.submit(await this.authorize(fields), { api_key: key });
  }
}

const unescapeHtml = (text: string): string =>
  text.replaceAll('&lt;', '<').replaceAll('&quot;', '"').replaceAll('&amp;', '&');

/** The first form of a page. */
export function readForm(html: string): { action: string; hidden: Record<string, string> } {
  const [, form = ''] = /(<form.*?)<\/form>/s.exec(html) ?? [];
  const inputs = form.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g);
  return {
    action: unescapeHtml(/action="([^"]*)"/.exec(form)?.[1] ?? ''),
    hidden: Object.fromEntries(
      [...inputs].map(([, name, value = '']) => [name, unescapeHtml(value)]),
    ),
  };
}

/** What the consent page sends when a person changes nothing. */
export const allowAll: Fields = {
  scope: ['memories:read', 'memories:write', 'search:read', 'knowledge:read', 'relationships:read'],
  spaces: 'all',
  user_id: '',
  decision: 'allow',
};

export interface TokenAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: {
    readonly access_token: string;
    readonly refresh_token: string;
    readonly scope: string;
    readonly error?: string;
    readonly error_description?: string;
  };
}

export async function postForm(url: string, fields: Fields): Promise<TokenAnswer> {
  const response = await fetch(url, { method: 'POST', body: toForm(fields) });
  const { status, headers } = response;
  return { status, headers, body: (await response.json()) as TokenAnswer['body'] };
}

/** A code, and the fields to exchange it. */
export async function obtainCode(
  service: Pick<Service, 'url'>,
  key: string,
  { request = {}, choice = {} }: { request?: Fields; choice?: Fields } = {},
): Promise<{ code: string; exchange: Fields; location: URL }> {
  const pkce = createPkce();
  const fields = requestFields(service.url, pkce, request);
  const browser = new TestBrowser(service.url);
  const consent = await browser.signIn(fields, key);
  const { location, html } = await browser.submit(consent, { ...allowAll, ...choice });
  if (location === null) throw new Error(`no redirect: ${html}`);
  const code = location.searchParams.get('code') ?? '';
  const exchange = {
    grant_type: 'authorization_code',
    code,
    code_verifier: pkce.verifier,
    client_id: fields.client_id,
    redirect_uri: fields.redirect_uri,
    resource: fields.resource,
  };
  return { code, exchange, location };
}

export const exchangeCode = (service: Pick<Service, 'url'>, fields: Fields): Promise<TokenAnswer> =>
  postForm(`${service.url}/oauth/token`, fields);

/** The tokens of a new grant. */
export async function obtainTokens(
  service: Pick<Service, 'url'>,
  key: string,
  options: { request?: Fields; choice?: Fields } = {},
): Promise<TokenAnswer['body']> {
  const { exchange } = await obtainCode(service, key, options);
  const { status, body } = await exchangeCode(service, exchange);
  if (status !== 200) throw new Error(JSON.stringify(body));
  return body;
}

export const refreshTokens = (
  service: Pick<Service, 'url'>,
  refreshToken: string,
  changes: Fields = {},
): Promise<TokenAnswer> =>
  postForm(`${service.url}/oauth/token`, {
    grant_type: 'refresh_token',
    refresh_token: refreshToken,
    client_id: clientId,
    ...changes,
  });
