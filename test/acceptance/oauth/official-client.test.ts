import {
  Client,
  type OAuthClientProvider,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { oneEngine } from '../../support/service.ts';
import {
  allowAll,
  clientId,
  type OAuthService,
  redirectUri,
  startOAuthService,
  TestBrowser,
} from './oauth-service.ts';

type Stored<K extends 'saveClientInformation' | 'saveTokens' | 'saveDiscoveryState'> = Parameters<
  NonNullable<OAuthClientProvider[K]>
>[0];

/** What a client stores, and the person who is sent to the browser. */
class TestProvider implements OAuthClientProvider {
  readonly redirectUrl = redirectUri;
  readonly clientMetadataUrl?: string;
  authorizationUrl: URL | undefined;
  #client: Stored<'saveClientInformation'> | undefined;
  #tokens: Stored<'saveTokens'> | undefined;
  #discovery: Stored<'saveDiscoveryState'> | undefined;
  #verifier = '';

  constructor(clientMetadataUrl?: string) {
    if (clientMetadataUrl !== undefined) this.clientMetadataUrl = clientMetadataUrl;
  }

  get clientMetadata() {
    return { client_name: 'Official client', redirect_uris: [redirectUri] };
  }
  state = () => 'state';
  clientInformation = () => this.#client;
  saveClientInformation = (client: Stored<'saveClientInformation'>) => {
    this.#client = client;
  };
  tokens = () => this.#tokens;
  saveTokens = (tokens: Stored<'saveTokens'>) => {
    this.#tokens = tokens;
  };
  discoveryState = () => this.#discovery;
  saveDiscoveryState = (state: Stored<'saveDiscoveryState'>) => {
    this.#discovery = state;
  };
  redirectToAuthorization = (url: URL) => {
    this.authorizationUrl = url;
  };
  codeVerifier = () => this.#verifier;
  saveCodeVerifier = (verifier: string) => {
    this.#verifier = verifier;
  };
}

describe.each(oneEngine)('The official MCP client on %s', (engine) => {
  let service: OAuthService;
  let key = '';
  beforeAll(async () => {
    service = await startOAuthService(engine);
    ({ key } = await service.createAccount());
  });
  afterAll(() => service.stop());

  it.each([
    ['with a metadata document', clientId, '/mcp'],
    ['by registration', undefined, '/mcp'],
    ['for one space', clientId, '/mcp/default'],
  ])('connects %s, and refreshes its tokens', async (_, metadataUrl, path) => {
    const provider = new TestProvider(metadataUrl);
    const url = new URL(`${service.url}${path}`);
    const createTransport = () =>
      new StreamableHTTPClientTransport(url, { authProvider: provider });
    const info = { name: 'official-client', version: '1' };
    const mode = { versionNegotiation: { mode: 'auto' as const } };
    const first = createTransport();
    await expect(new Client(info, mode).connect(first)).rejects.toThrow(/nauthorized/);
    const browser = new TestBrowser(service.url);
    const signIn = await browser.open(provider.authorizationUrl?.href ?? '');
    const consent = await browser.submit(signIn, { api_key: key });
    const { location } = await browser.submit(consent, allowAll);
    expect(location?.searchParams.get('state')).toBe('state');
    await first.finishAuth(location?.searchParams ?? new URLSearchParams());
    const granted = provider.tokens();
    expect(granted?.access_token).toMatch(/^mno_/);

    const client = new Client(info, mode);
    await client.connect(createTransport());
    expect((await client.listTools()).tools).toHaveLength(5);
    await client.close();

    provider.saveTokens({ ...granted, access_token: 'mno_expired', token_type: 'Bearer' });
    const later = new Client(info, mode);
    await later.connect(createTransport());
    expect((await later.listTools()).tools).toHaveLength(5);
    await later.close();
    expect(provider.tokens()?.refresh_token).not.toBe(granted?.refresh_token);
  });
});
