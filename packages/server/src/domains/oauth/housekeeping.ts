import type { App } from '../ctx.ts';
import { pruneClients } from './store/clients.ts';
import { pruneGrants } from './store/grants.ts';
import { pruneSessions } from './store/sessions.ts';
import { pruneOAuthTokens } from './store/tokens.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** Deletes expired sessions, tokens and codes, ended grants, and clients that nobody uses. */
export async function pruneOAuth({ clock, engine: { db } }: App): Promise<void> {
  const now = clock.now().getTime();
  await pruneSessions(db, new Date(now - hourMs));
  await pruneOAuthTokens(db, new Date(now - hourMs));
  await pruneGrants(db, new Date(now - dayMs));
  await pruneClients(db, new Date(now - dayMs));
}
