import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { oneEngine } from '../../support/service.ts';
import {
  allowAll,
  clientId,
  createPkce,
  type Fields,
  type OAuthService,
  type PageAnswer,
  readForm,
  redirectUri,
  requestFields,
  startOAuthService,
  TestBrowser,
} from './oauth-service.ts';

/** Where a page of an error leads back to the client. */
function clientLink(html: string): URL | null {
  const [, href] = /<a href="([^"]+)">/.exec(html) ?? [];
  return href === undefined ? null : new URL(href.replaceAll('&amp;', '&'));
}

describe.each(oneEngine)('The pages of OAuth on %s', (engine) => {
  let service: OAuthService;
  let key = '';
  beforeAll(async () => {
    service = await startOAuthService(engine);
    ({ key } = await service.createAccount());
  });
  afterAll(() => service.stop());

  const fieldsWith = (changes: Fields = {}): Fields =>
    requestFields(service.url, createPkce(), changes);
  const open = (changes: Fields = {}): Promise<PageAnswer> =>
    new TestBrowser(service.url).authorize(fieldsWith(changes));

  it.each<[string, Fields]>([
    ['no client', { client_id: undefined }],
    ['an unknown client', { client_id: 'client_unknown' }],
    ['a client without a document', { client_id: 'https://client.example.com/none.json' }],
    ['no redirect URI', { redirect_uri: undefined }],
    ['a redirect URI with a suffix', { redirect_uri: `${redirectUri}/more` }],
    ['a redirect URI with a slash', { redirect_uri: `${redirectUri}/` }],
    ['a redirect URI with a query', { redirect_uri: `${redirectUri}?a=b` }],
    ['a redirect URI in other case', { redirect_uri: redirectUri.toUpperCase() }],
    ['the prefix of a redirect URI', { redirect_uri: 'https://client.example.com/' }],
    ['another port', { redirect_uri: 'https://client.example.com:444/callback' }],
    ['another host', { redirect_uri: 'https://client.example.com.evil.example/callback' }],
    ['credentials', { redirect_uri: 'https://client.example.com@evil.example/callback' }],
    ['the redirect URI of another client', { redirect_uri: 'https://other.example.com/callback' }],
    ['another loopback path', { redirect_uri: 'http://127.0.0.1:1234/other' }],
    ['another loopback name', { redirect_uri: 'http://localhost:1234/callback' }],
    ['a host that begins as loopback', { redirect_uri: 'http://127.0.0.1.evil.example/callback' }],
    [
      'credentials that look like loopback',
      { redirect_uri: 'http://127.0.0.1:80@evil.example/callback' },
    ],
    ['a script', { redirect_uri: 'javascript:alert(1)' }],
    ['two clients', { client_id: [clientId, 'https://other.example.com/client.json'] }],
    ['two redirect URIs', { redirect_uri: [redirectUri, 'https://evil.example/'] }],
  ])('show an error and never redirect for %s', async (_, changes) => {
    const { status, location, html, headers } = await open(changes);
    expect([status, location]).toEqual([400, null]);
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(html).toContain('This request cannot be completed');
  });

  it('accept any port of a loopback redirect, and warn', async () => {
    const { status, html } = await signIn({ redirect_uri: 'http://127.0.0.1:4321/callback' });
    expect(status).toBe(200);
    expect(html).toContain('Caution:');
    expect((await signIn()).html).not.toContain('Caution:');
  });

  const signIn = (changes: Fields = {}): Promise<PageAnswer> =>
    new TestBrowser(service.url).signIn(fieldsWith(changes), key);

  it.each<[string, Fields, string]>([
    ['no challenge', { code_challenge: undefined }, 'invalid_request'],
    ['a plain challenge', { code_challenge_method: 'plain' }, 'invalid_request'],
    ['no method, which means plain', { code_challenge_method: undefined }, 'invalid_request'],
    ['a short challenge', { code_challenge: 'abc' }, 'invalid_request'],
    ['no resource', { resource: undefined }, 'invalid_target'],
    ['another resource', { resource: 'https://other.example.com/mcp' }, 'invalid_target'],
    ['an implicit grant', { response_type: 'token' }, 'unsupported_response_type'],
    ['unknown scopes only', { scope: 'openid profile' }, 'invalid_scope'],
  ])(
    'offer to tell the client the error, but do not redirect, for %s',
    async (_, changes, error) => {
      const { status, location: redirect, html } = await open(changes);
      expect([status, redirect]).toEqual([400, null]);
      const location = clientLink(html);
      expect(`${location?.origin}${location?.pathname}`).toBe(redirectUri);
      expect(Object.fromEntries(location?.searchParams ?? [])).toEqual({
        error,
        error_description: expect.any(String),
        state: 'state of the client',
        iss: service.url,
      });
    },
  );

  it('refuse the API as a resource', async () => {
    for (const path of ['', '/v1', '/mcp/a/b', '/mcp?space=a', '/mcp#a', '/mcp/%', '/docs']) {
      const { html } = await open({ resource: `${service.url}${path}` });
      const error = clientLink(html)?.searchParams.get('error');
      expect([path, error]).toEqual([path, 'invalid_target']);
    }
    for (const path of ['/mcp', '/mcp/', '/mcp?profile=openai', '/mcp/work']) {
      expect((await open({ resource: `${service.url}${path}` })).status).toBe(200);
    }
  });

  it('sign in with an API key only, in a session that scripts do not get', async () => {
    const browser = new TestBrowser(service.url);
    const page = await browser.authorize(fieldsWith());
    expect(page.html).toContain('Sign in to Mneme');
    const { token } = await service.client(key).auth.createToken();
    const similar = `${key.slice(0, -1)}${key.endsWith('x') ? 'y' : 'x'}`;
    for (const api_key of ['', 'mnk_wrong', similar, token]) {
      const { status, html, headers } = await browser.submit(page, { api_key });
      expect(status).toBe(api_key === token ? 403 : 422);
      expect(html).toContain('role="alert"');
      expect(headers.get('www-authenticate')).toBeNull();
      expect(browser.cookies.has('mneme_session')).toBe(false);
    }
    const { action, hidden } = readForm(page.html);
    const response = await fetch(new URL(action, service.url), {
      method: 'POST',
      redirect: 'manual',
      body: new URLSearchParams({ ...hidden, api_key: key }),
      headers: {
        origin: service.url,
        cookie: `mneme_sign_in=${browser.cookies.get('mneme_sign_in')}`,
      },
    });
    expect(response.status).toBe(303);
    expect(response.headers.get('set-cookie')).toMatch(
      /^mneme_session=mns_[\w-]{43}; Path=\/oauth; Max-Age=900; HttpOnly; SameSite=Lax$/,
    );
    expect(response.headers.get('location')).not.toContain(key);
  });

  it('deny, sign out, and ask for the key again', async () => {
    const browser = new TestBrowser(service.url);
    const fields = fieldsWith();
    const page = await browser.signIn(fields, key);
    const { location } = await browser.submit(page, { ...allowAll, decision: 'deny' });
    expect(location?.searchParams.get('error')).toBe('access_denied');
    expect(location?.searchParams.get('code')).toBeNull();
    expect((await browser.authorize(fields)).html).toContain('It may');
    const { action, hidden } = readForm(page.html);
    const session = browser.cookies.get('mneme_session') ?? '';
    const after = await browser.post(action.replace('/consent', '/sign-out'), hidden);
    expect(after.html).toContain('Sign in to Mneme');
    browser.cookies.set('mneme_session', session);
    expect((await browser.authorize(fields)).html).toContain('Sign in to Mneme');
    const late = await browser.submit(page, allowAll);
    expect([late.location, late.html]).toEqual([null, expect.stringMatching(/Sign in to Mneme/)]);
  });

  it('end a session with its key', async () => {
    const client = service.client(key);
    const { id, key: shortLived } = await client.keys.create({ body: { name: 'short-lived' } });
    const browser = new TestBrowser(service.url);
    const page = await browser.signIn(fieldsWith(), shortLived);
    expect(page.html).toContain('short-lived');
    await client.keys.revoke({ params: { id } });
    const late = await browser.submit(page, allowAll);
    expect([late.location, late.html]).toEqual([null, expect.stringMatching(/Sign in to Mneme/)]);
  });

  it('refuse forms of other sites, and forms without or with a foreign token', async () => {
    const browser = new TestBrowser(service.url);
    const fields = fieldsWith();
    const page = await browser.signIn(fields, key);
    const other = new TestBrowser(service.url);
    const otherPage = await other.signIn(fields, key);
    const { action, hidden } = readForm(page.html);
    const refuse = async (answer: Promise<PageAnswer>) => {
      const { status, location } = await answer;
      expect([status, location]).toEqual([403, null]);
    };
    for (const origin of ['https://evil.example', 'null', null]) {
      await refuse(browser.post(action, { ...hidden, ...allowAll }, origin));
      await refuse(browser.post(action.replace('/consent', '/sign-out'), hidden, origin));
    }
    await refuse(browser.post(action, allowAll));
    await refuse(browser.post(action, { ...allowAll, form_token: 'x'.repeat(43) }));
    await refuse(browser.post(action, { ...allowAll, ...readForm(otherPage.html).hidden }));
    // The token of one request is none of another, such as one with another client.
    const changed = new URL(action, service.url);
    changed.searchParams.set('state', 'another');
    await refuse(browser.post(changed.href, { ...hidden, ...allowAll }));
    expect((await browser.post(action, { ...hidden, ...allowAll })).location).not.toBeNull();
  });

  it('sign nobody in by the form of another browser or site', async () => {
    const attacker = new TestBrowser(service.url);
    const victim = new TestBrowser(service.url);
    const fields = fieldsWith();
    const page = await attacker.authorize(fields);
    await victim.authorize(fields);
    const { action, hidden } = readForm(page.html);
    for (const [form, origin] of [
      [hidden, service.url],
      [hidden, 'https://evil.example'],
      [{}, service.url],
    ] as const) {
      const { status } = await victim.post(action, { ...form, api_key: key }, origin);
      expect(status).toBe(403);
      expect(victim.cookies.has('mneme_session')).toBe(false);
    }
  });

  it('cannot be framed, cached or scripted, and name their client as text', async () => {
    const url = 'https://hostile.example.com/client.json';
    const client_name = `<script>alert(1)</script>" onload='x'\u202e&amp;`;
    service.documents.add(url, { client_name });
    const browser = new TestBrowser(service.url);
    const fields = fieldsWith({ client_id: url });
    const signInPage = await browser.authorize(fields);
    const consent = await browser.submit(signInPage, { api_key: key });
    const error = await open({ client_id: 'https://client.example.com/<script>' });
    for (const { headers, html } of [signInPage, consent, error]) {
      const policy = headers.get('content-security-policy') ?? '';
      expect(policy).toMatch(/^default-src 'none'; style-src 'sha256-[\w+/]{43}='; /);
      expect(policy).toContain("frame-ancestors 'none'; base-uri 'none'");
      expect(headers.get('x-frame-options')).toBe('DENY');
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('referrer-policy')).toBe('same-origin');
      expect(html).not.toContain('<script');
      expect(html).not.toContain(" onload='");
      expect(html).not.toContain('\u202e');
    }
    for (const { headers, html } of [signInPage, consent]) {
      expect(html).toContain('&lt;script&gt;alert(1)&lt;/script&gt;&quot; onload=&#39;x&#39;');
      expect(headers.get('content-security-policy')).toContain(
        "form-action 'self' https://client.example.com;",
      );
    }
    expect(consent.html).toContain('<strong>hostile.example.com</strong>');
  });

  it('limit attempts to sign in, per network', async () => {
    const other = await startOAuthService(engine);
    try {
      const browser = new TestBrowser(other.url);
      const page = await browser.authorize(requestFields(other.url, createPkce()));
      const statuses: number[] = [];
      // Enough for two windows, because a window may end in between.
      for (let i = 0; i < 61; i += 1) {
        statuses.push((await browser.submit(page, { api_key: `mnk_${i}` })).status);
      }
      expect(statuses[0]).toBe(422);
      expect(statuses).toContain(429);
    } finally {
      await other.stop();
    }
  });
});

describe.each(oneEngine)('With https, the cookies of OAuth on %s', (engine) => {
  it('are for https only', async () => {
    const service = await startOAuthService(engine, {
      env: { MNEME_PUBLIC_URL: 'https://mneme.example.org' },
    });
    try {
      const fields = requestFields('https://mneme.example.org', createPkce());
      const { headers } = await new TestBrowser(service.url).authorize(fields);
      expect(headers.get('set-cookie')).toMatch(
        /^__Secure-mneme_sign_in=[\w-]{43}; Path=\/oauth; .*HttpOnly; SameSite=Lax; Secure$/,
      );
    } finally {
      await service.stop();
    }
  });
});
