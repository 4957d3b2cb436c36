import { type Client, createClient } from '@mneme/sdk';
import { createContext, useContext, useSyncExternalStore } from 'react';
import { ConnectionError, connection, isAbsent } from './connection.ts';
import { type Session, SessionStore } from './session.ts';

export const sessionStore = new SessionStore();

sessionStore.subscribe((session) => connection.setSession(session !== null));

/** Sends the current token, and ends the session if the service refuses it. */
async function fetchWithSession(url: RequestInfo | URL, init: RequestInit = {}) {
  const headers = new Headers(init.headers);
  try {
    headers.set('authorization', `Bearer ${await sessionStore.validToken()}`);
    const response = await fetch(url, { ...init, headers });
    if (response.status === 401) sessionStore.end('Your session has ended. Sign in again.');
    if (isAbsent(response.status)) connection.loseServer();
    return response;
  } catch (error) {
    // Browsers report a request without a response as a TypeError.
    if (!(error instanceof TypeError)) throw error;
    connection.loseServer();
    throw new ConnectionError({ cause: error });
  }
}

export const createSessionClient = (): Client =>
  createClient({ url: location.origin, fetch: fetchWithSession, retries: 1 });

export const ClientContext = createContext<Client | null>(null);

/** The client of the session; every page is below one. */
export function useClient(): Client {
  const client = useContext(ClientContext);
  if (client === null) throw new Error('There is no session.');
  return client;
}

export const useSession = (): Session | null =>
  useSyncExternalStore(sessionStore.subscribe, () => sessionStore.current);

/** Revokes the token; without a connection it expires within 15 minutes. */
async function endSession(client: Client): Promise<void> {
  const id = sessionStore.current?.id;
  if (id !== undefined) {
    await client.auth.revokeToken({ params: { id } }).catch(() => undefined);
  }
  sessionStore.end(null);
}

/** Returns from an account that an operator opened. */
export const leaveAccount = endSession;

/** Ends the session, also that of the operator who opened the account. */
export async function signOut(client: Client): Promise<void> {
  while (sessionStore.current !== null) await endSession(client);
}
