interface BrowserSessions {
  account_id: string;
  id: string;
  key_id: string;
  key_fingerprint: string;
  secret_hash: Uint8Array;
  created_at: Date;
  expires_at: Date;
}

interface OAuthClients {
  id: string;
  name: string | null;
  redirect_uris: string[];
  created_at: Date;
  last_used_at: Date | null;
}

interface OAuthGrants {
  account_id: string;
  id: string;
  key_id: string;
  key_fingerprint: string;
  client_id: string;
  client_name: string | null;
  resource: string;
  scopes: string[];
  space_ids: string[] | null;
  user_id: string | null;
  code_hash: Uint8Array;
  code_challenge: string;
  redirect_uri: string;
  code_expires_at: Date;
  redeemed_at: Date | null;
  created_at: Date;
  expires_at: Date;
  revoked_at: Date | null;
}

interface OAuthTokens {
  account_id: string;
  id: string;
  grant_id: string;
  kind: string;
  token_hash: Uint8Array;
  scopes: string[];
  created_at: Date;
  expires_at: Date;
  used_at: Date | null;
}

/** Sign-in and OAuth. */
export interface OAuthTables {
  browser_sessions: BrowserSessions;
  oauth_clients: OAuthClients;
  oauth_grants: OAuthGrants;
  oauth_tokens: OAuthTokens;
}
