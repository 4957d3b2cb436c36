/** A call to an address that a tenant chose. */
export interface OutboundRequest {
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** For the whole exchange. */
  readonly timeoutMs: number;
  /** So much of the answer is kept; the rest is not read. */
  readonly bodyBytesMax: number;
  readonly signal?: AbortSignal;
}

export interface OutboundResponse {
  /** Also of a redirect: none is followed. */
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly timeMs: number;
}

/** Throws EgressRefused, EgressFailed. */
export type OutboundFetch = (url: string, request: OutboundRequest) => Promise<OutboundResponse>;

/** Nothing was connected to: the address is none that tenants may reach. */
export class EgressDenied extends Error {}

/** No whole answer: the name is unknown, the connection broke, or the time was up. */
export class EgressFailed extends Error {}
