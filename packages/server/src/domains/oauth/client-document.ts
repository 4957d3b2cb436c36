import { z } from 'zod';
import { BoundedCache } from '../../kernel/bounded-cache.ts';
import { perApp } from '../../kernel/per-app.ts';
import { EgressDenied, EgressFailed, type OutboundResponse } from '../../providers/fetch/index.ts';
import type { App } from '../ctx.ts';
import { OAuthError } from './errors.ts';
import { findRedirectUriError } from './redirect-uri.ts';

const urlCharactersMax = 1_000;
const documentBytesMax = 32_768;
const timeoutMs = 5_000;
const nameCharactersMax = 200;
export const redirectUrisMax = 20;
/** Per process. */
const cachedDocumentsMax = 200;
const cacheSecondsMin = 60;
const cacheSecondsDefault = 600;
const cacheSecondsMax = 3_600;

export const clientName = z.string().transform((text) =>
  text
    .replaceAll(/[\p{C}\s]+/gu, ' ')
    .trim()
    .slice(0, nameCharactersMax),
);

const publicClient = 'none';

const document = z.object({
  client_id: z.string(),
  client_name: clientName.optional(),
  redirect_uris: z.array(z.string()).min(1).max(redirectUrisMax),
  token_endpoint_auth_method: z.string().default(publicClient),
  /** Further methods that the client can use: it chooses one that the server offers. */
  token_endpoint_auth_methods_supported: z.array(z.string()).max(20).default([]),
});

/** What a client says about itself at its URL. */
export interface ClientDocument {
  readonly name: string | null;
  readonly redirectUris: readonly string[];
}

const documents = perApp<App, BoundedCache<ClientDocument>>(
  ({ clock }) =>
    new BoundedCache(clock, { entriesMax: cachedDocumentsMax, ageMaxMs: cacheSecondsMax * 1_000 }),
);

/** The notation that the draft requires: https, a path without dot segments, and nothing else. */
const clientUrl = /^https:\/\/[a-z0-9.:[\]-]+\/(?!#)[^#\s\\]*$/;

export const looksLikeClientUrl = (clientId: string): boolean => /^https?:/i.test(clientId);

function requireClientUrl(clientId: string): void {
  const isPlain =
    clientId.length <= urlCharactersMax &&
    clientUrl.test(clientId) &&
    URL.canParse(clientId) &&
    new URL(clientId).href === clientId &&
    new URL(clientId).pathname !== '/';
  if (!isPlain) {
    const description = 'client_id must be an https URL in plain notation, with a path.';
    throw new OAuthError('invalid_client', description);
  }
}

export const isDocumentCached = (app: App, url: string): boolean => documents.of(app).has(url);

/**
 * Reads the metadata document of a client (draft-ietf-oauth-client-id-metadata-document) through
 * the egress guard, without redirects. Throws OAuthError invalid_client.
 */
export async function fetchClientDocument(app: App, url: string): Promise<ClientDocument> {
  requireClientUrl(url);
  const cache = documents.of(app);
  const cached = cache.get(url);
  if (cached) return cached;
  const response = await fetchDocument(app, url);
  const read = parseDocument(url, response);
  cache.set(url, read, cacheSecondsOf(response) * 1_000);
  return read;
}

async function fetchDocument(app: App, url: string): Promise<OutboundResponse> {
  try {
    return await app.fetchOutside(url, {
      method: 'GET',
      headers: { accept: 'application/json', 'user-agent': `mneme/${app.version}` },
      timeoutMs,
      bodyBytesMax: documentBytesMax + 1,
    });
  } catch (error) {
    if (!(error instanceof EgressDenied || error instanceof EgressFailed)) throw error;
    app.log.info({ err: error }, 'client metadata not available');
    throw unusable('It could not be fetched.');
  }
}

function parseDocument(url: string, { status, headers, body }: OutboundResponse): ClientDocument {
  if (status !== 200) throw unusable('Its URL must answer with status 200, without a redirect.');
  if (!/^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i.test(headers['content-type'] ?? '')) {
    throw unusable('It must have the type application/json.');
  }
  if (Buffer.byteLength(body) > documentBytesMax) {
    throw unusable(`It must have at most ${documentBytesMax} bytes.`);
  }
  const read = document.safeParse(parseJson(body));
  if (!read.success) throw unusable('It must have client_id and redirect_uris.');
  const { client_id, client_name, redirect_uris, ...methods } = read.data;
  if (client_id !== url) throw unusable('Its client_id must be its URL.');
  const { token_endpoint_auth_method: preferred, token_endpoint_auth_methods_supported: others } =
    methods;
  if (![preferred, ...others].includes(publicClient)) {
    throw unusable('The client must be able to use the token_endpoint_auth_method none.');
  }
  const invalid = redirect_uris.find((uri) => findRedirectUriError(uri) !== null);
  if (invalid !== undefined) {
    throw unusable(`A redirect URI ${findRedirectUriError(invalid)}.`);
  }
  return { name: client_name || null, redirectUris: redirect_uris };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const unusable = (reason: string): OAuthError =>
  new OAuthError('invalid_client', `The metadata document of the client is not usable. ${reason}`);

function cacheSecondsOf({ headers }: OutboundResponse): number {
  const directives = headers['cache-control'] ?? '';
  if (/\bno-(?:store|cache)\b/i.test(directives)) return cacheSecondsMin;
  const seconds = Number(/\bmax-age=(\d{1,9})\b/i.exec(directives)?.[1] ?? cacheSecondsDefault);
  return Math.min(cacheSecondsMax, Math.max(cacheSecondsMin, seconds));
}
