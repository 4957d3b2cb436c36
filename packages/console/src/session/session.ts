import { createClient, type IssuedSessionToken, isMnemeError } from '@mneme/sdk';
import { systemNowMs } from '../kernel.ts';

/** A session as it is stored: never the key that it was created with. */
export interface Session {
  readonly id: string;
  readonly token: string;
  readonly expiresAt: string;
  /** The key and the rights of the token: sessions with the same ones see the same data. */
  readonly identity: string;
  /** It was created to look around: it cannot change anything. */
  readonly isReadOnly: boolean;
  /** The account that an operator opened, and the session to return to. */
  readonly opened?: { readonly accountName: string; readonly from: Session };
}

export interface SignInOptions {
  /** The browser keeps the session for 30 days. */
  readonly isKept: boolean;
  readonly isReadOnly: boolean;
}

const storageKey = 'mneme.session';
const tokenSeconds = 900;
/** Of a session that ends with its tab, and of one that the browser keeps. */
const tabSessionSeconds = 12 * 3_600;
const keptSessionSeconds = 30 * 86_400;
type Scopes = NonNullable<IssuedSessionToken['scopes']>;

export const readScopes: Scopes = [
  'memories:read',
  'sessions:read',
  'relationships:read',
  'knowledge:read',
  'search:read',
  'clusters:read',
  'email:read',
  'webhooks:read',
  'spaces:read',
];
/** A token that expires sooner is renewed before it is sent. */
const renewBeforeMs = 60_000;

type Listener = (session: Session | null) => void;

/**
 * The session of this tab. Its token is valid for 15 minutes and renewed when it is used; the
 * service can revoke it at any time.
 */
export class SessionStore {
  /** Why the last session ended; null: the user signed out, or there was none. */
  endReason: string | null = null;
  #session: Session | null = readStored();
  #renewal: Promise<Session> | undefined;
  readonly #listeners = new Set<Listener>();

  get current(): Session | null {
    return this.#session;
  }

  subscribe = (listener: Listener): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  async signIn(key: string, options: SignInOptions): Promise<void> {
    this.#store(await createSession(key, options), options.isKept);
  }

  /** Exchanges the token of a sign-in link. */
  async signInWithLink(token: string): Promise<void> {
    this.#store(await renew(token), false);
  }

  /** Signs in to another account until `leaveAccount`, within the session of the operator. */
  async openAccount(key: string, accountName: string, isReadOnly: boolean): Promise<void> {
    const from = this.#session;
    if (from === null) throw new Error('Sign in first.');
    const session = await createSession(key, { isKept: false, isReadOnly });
    this.#store({ ...session, opened: { accountName, from } }, false);
  }

  /** Returns to the session that opened the account. */
  leaveAccount(): void {
    const from = this.#session?.opened?.from;
    if (from === undefined) return;
    sessionStorage.removeItem(storageKey);
    this.#store(from, localStorage.getItem(storageKey) !== null);
  }

  /** A token that is valid for the next request. Throws MnemeError if the session ended. */
  async validToken(): Promise<string> {
    const session = this.#session;
    if (session === null) throw new Error('Sign in first.');
    if (Date.parse(session.expiresAt) - systemNowMs() > renewBeforeMs) return session.token;
    this.#renewal ??= renew(session.token).finally(() => {
      this.#renewal = undefined;
    });
    try {
      const renewed = await this.#renewal;
      if (this.#session === session) {
        const isKept = session.opened === undefined && localStorage.getItem(storageKey) !== null;
        this.#store(session.opened ? { ...renewed, opened: session.opened } : renewed, isKept);
      }
      return renewed.token;
    } catch (error) {
      if (isMnemeError(error) && error.status === 401) this.end(error.message);
      throw error;
    }
  }

  end(reason: string | null): void {
    if (this.#session === null) return;
    if (this.#session.opened) {
      this.leaveAccount();
      return;
    }
    this.endReason = reason;
    this.#session = null;
    sessionStorage.removeItem(storageKey);
    localStorage.removeItem(storageKey);
    this.#notify();
  }

  #store(session: Session, isKept: boolean): void {
    this.endReason = null;
    this.#session = session;
    (isKept ? localStorage : sessionStorage).setItem(storageKey, JSON.stringify(session));
    this.#notify();
  }

  #notify(): void {
    for (const listener of this.#listeners) listener(this.#session);
  }
}

function readStored(): Session | null {
  const text = sessionStorage.getItem(storageKey) ?? localStorage.getItem(storageKey);
  try {
    return text === null ? null : (JSON.parse(text) as Session);
  } catch {
    return null;
  }
}

async function createSession(key: string, { isKept, isReadOnly }: SignInOptions) {
  const body = {
    expires_in: tokenSeconds,
    renewable_for: isKept ? keptSessionSeconds : tabSessionSeconds,
    ...(isReadOnly && { scopes: readScopes }),
  };
  const client = createClient({ url: location.origin, apiKey: key });
  return toSession(await client.auth.createToken({ body }));
}

const renew = async (token: string): Promise<Session> =>
  toSession(await createClient({ url: location.origin }).auth.renewToken({ body: { token } }));

const toSession = (issued: IssuedSessionToken): Session => {
  const { id, token, expires_at, scopes, api_key_id, user_id } = issued;
  return {
    id,
    token,
    expiresAt: expires_at,
    identity: JSON.stringify([api_key_id, user_id, scopes]),
    isReadOnly: scopes?.every((scope) => scope.endsWith(':read')) ?? false,
  };
};

/** The token of a sign-in link, which is removed from the address and the history. */
export function takeLinkToken(): string | null {
  const token = /^#token=([\w.-]+)$/.exec(location.hash)?.[1] ?? null;
  if (token !== null) history.replaceState(null, '', location.pathname + location.search);
  return token;
}
