/** A request to an address chosen by a tenant. */
export interface OutboundRequest {
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Timeout of the whole exchange. */
  readonly timeoutMs: number;
  /** Limit of the response body; the rest is not read. */
  readonly bodyBytesMax: number;
  readonly signal?: AbortSignal;
}

export interface OutboundResponse {
  /** Also the status of a redirect, since none is followed. */
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly timeMs: number;
}

/** Throws EgressDenied, EgressFailed. */
export type OutboundFetch = (url: string, request: OutboundRequest) => Promise<OutboundResponse>;

/** No connection was made: tenants may not reach the address. */
export class EgressDenied extends Error {}

/** No complete response: the name is unknown, the connection failed, or the timeout expired. */
export class EgressFailed extends Error {}
