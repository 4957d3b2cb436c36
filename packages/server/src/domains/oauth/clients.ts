import { enforceNetworkLimit } from '../accounts/index.ts';
import type { App } from '../ctx.ts';
import { fetchClientDocument, isDocumentCached, looksLikeClientUrl } from './client-document.ts';
import { OAuthError } from './errors.ts';
import { findClient } from './store/clients.ts';

export interface OAuthClient {
  readonly id: string;
  /** As the client calls itself: anybody can choose any name. */
  readonly name: string | null;
  /** Whom the name is from: the host of its document; null for a client that registered itself. */
  readonly host: string | null;
  readonly redirectUris: readonly string[];
}

const fetchLimit = { name: 'client metadata', limit: 30, seconds: 60 } as const;

/**
 * Finds a client by its id. Throws OAuthError invalid_client, 429 rate_limit_exceeded for a network
 * that causes too many documents to be fetched.
 */
export async function findOAuthClient(app: App, id: string, network: string): Promise<OAuthClient> {
  if (looksLikeClientUrl(id)) {
    if (!isDocumentCached(app, id)) await enforceNetworkLimit(app, network, fetchLimit);
    return { id, host: hostOf(id), ...(await fetchClientDocument(app, id)) };
  }
  const client = await findClient(app.engine.db, id);
  if (!client) {
    throw new OAuthError('invalid_client', 'The client is unknown. It has to register again.');
  }
  return { id, name: client.name, host: null, redirectUris: client.redirect_uris };
}

const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : '');
