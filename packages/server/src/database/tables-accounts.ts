interface SessionTokens {
  account_id: string;
  id: string;
  key_id: string;
  user_id: string | null;
  created_at: Date;
  expires_at: Date;
  revoked_at: Date | null;
  renewable_until: Date | null;
  single_use: boolean;
  scopes: string[] | null;
}

/** Tables of accounts and credentials that are not in tables.ts. */
export interface AccountTables {
  session_tokens: SessionTokens;
}
