import { isMnemeError } from '@mneme/sdk';
import { onlineManager } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';

const probeMs = 1_000;

/** The server could not be reached. */
export class ConnectionError extends TypeError {
  override readonly name = 'ConnectionError';
  constructor(options?: ErrorOptions) {
    super('The server does not respond.', options);
  }
}

/** What a proxy answers while the server behind it restarts. */
export const isAbsent = (status: number): boolean => status === 502 || status === 504;

/** Whether a query succeeds later without a change: the server returns, or the user signs in. */
export const isInterruption = (error: unknown): boolean =>
  error instanceof ConnectionError ||
  (isMnemeError(error) && (error.status === 401 || isAbsent(error.status)));

/**
 * Whether requests can succeed: the server responds and there is a session. Until then queries
 * wait and keep what they have; then the queries that are shown are read again.
 */
class Connection {
  #hasServer = true;
  #hasSession = true;

  constructor() {
    // Whether the device has a network says nothing about a server on the same machine.
    onlineManager.setEventListener(() => undefined);
  }

  setSession(hasSession: boolean): void {
    this.#hasSession = hasSession;
    this.#update();
  }

  /** Queries wait from now on, until the server responds. */
  loseServer(): void {
    if (!this.#hasServer) return;
    this.#hasServer = false;
    this.#update();
    this.#probeLater();
  }

  get hasServer(): boolean {
    return this.#hasServer;
  }

  #probeLater(): void {
    setTimeout(async () => {
      const response = await fetch('/v1/livez', { cache: 'no-store' }).catch(() => null);
      if (response === null || isAbsent(response.status)) {
        this.#probeLater();
        return;
      }
      this.#hasServer = true;
      this.#update();
    }, probeMs);
  }

  #update(): void {
    onlineManager.setOnline(this.#hasServer && this.#hasSession);
  }
}

export const connection = new Connection();

const subscribe = (listener: () => void) => onlineManager.subscribe(listener);

/** Whether requests can succeed. */
export const useIsConnected = (): boolean =>
  useSyncExternalStore(subscribe, () => onlineManager.isOnline());

/** Whether the server responds. */
export const useHasServer = (): boolean =>
  useSyncExternalStore(subscribe, () => connection.hasServer);
