import diagnostics from 'node:diagnostics_channel';

/**
 * Records the HTTP exchanges of the running test with the services under test for failure reports.
 * Uses undici's diagnostics channels, so that bodies are neither copied whole nor read twice.
 */
export interface HttpExchange {
  readonly origin: string;
  /** A request line such as `GET /v1/memories`. */
  readonly title: string;
  readonly requestHeaders: readonly Header[];
  readonly requestBody: RecordedBody;
  /** Null until the response begins. */
  status: number | null;
  responseHeaders: readonly Header[];
  readonly responseBody: RecordedBody;
  error: string | null;
}

export type Header = readonly [name: string, value: string];

/** A growing array of log lines, or a process with its output. */
type LogSource = readonly string[] | ServerOutput;

interface ServerOutput {
  output(): string;
  exit(): { readonly code: number | null; readonly signal: string | null } | undefined;
}

const exchangesMax = 20;
const bodyBytesMax = 4_096;

/** The first bytes of a body, and its size. */
export class RecordedBody {
  readonly #chunks: Buffer[] = [];
  #storedBytes = 0;
  bytes = 0;

  add(chunk: string | Uint8Array): void {
    const size = Buffer.byteLength(chunk);
    this.bytes += size;
    const remaining = bodyBytesMax - this.#storedBytes;
    if (remaining <= 0) return;
    // A copy: the chunk may be a view into a large buffer that is reused.
    const head = Buffer.from(
      typeof chunk === 'string' ? chunk.slice(0, remaining) : chunk.subarray(0, remaining),
    );
    this.#chunks.push(head.subarray(0, remaining));
    this.#storedBytes += Math.min(size, remaining);
  }

  firstBytes(): Buffer {
    return Buffer.concat(this.#chunks);
  }

  get isComplete(): boolean {
    return this.bytes === this.#storedBytes;
  }
}

/** Weak references, so that the logs of stopped services can be garbage-collected. */
const services = new Map<string, WeakRef<LogSource & object>>();
let exchanges: HttpExchange[] = [];
let omitted = 0;

/** Starts recording exchanges with the service at `url`. */
export function registerRecordedService(url: string, log: LogSource): void {
  for (const [origin, source] of services) if (!source.deref()) services.delete(origin);
  services.set(new URL(url).origin, new WeakRef(log));
}

/** The log lines of a service, or of all services. */
export function serviceLogLines(origin?: string): string[] {
  const sources = origin === undefined ? [...services.values()] : [services.get(origin)];
  return sources.flatMap((source) => {
    const log = source?.deref();
    if (log === undefined) return [];
    if (!('output' in log)) return log;
    const exit = log.exit();
    const end = exit ? [`The server ended with ${exit.code ?? exit.signal}.`] : [];
    return [...log.output().split('\n'), ...end];
  });
}

export function clearExchanges(): void {
  exchanges = [];
  omitted = 0;
}

export const recordedExchanges = (): { exchanges: readonly HttpExchange[]; omitted: number } => ({
  exchanges,
  omitted,
});

/** Returns null for a server that is not under test. */
export function recordExchange(
  url: string,
  title: string,
  requestHeaders: readonly Header[] = [],
): HttpExchange | null {
  const origin = originOf(url);
  if (!services.has(origin)) return null;
  const exchange: HttpExchange = {
    origin,
    title,
    requestHeaders,
    requestBody: new RecordedBody(),
    status: null,
    responseHeaders: [],
    responseBody: new RecordedBody(),
    error: null,
  };
  exchanges.push(exchange);
  if (exchanges.length > exchangesMax) {
    exchanges.shift();
    omitted += 1;
  }
  return exchange;
}

const originOf = (url: string): string => (URL.canParse(url) ? new URL(url).origin : '');

interface UndiciRequest {
  readonly origin: string;
  readonly method: string;
  readonly path: string;
  readonly headers: readonly (string | readonly string[])[] | string;
}

interface UndiciMessage {
  readonly request: UndiciRequest;
  readonly response?: { readonly statusCode: number; readonly headers: readonly Buffer[] };
  readonly chunk?: string | Uint8Array;
  readonly error?: Error;
}

const recorded = new WeakMap<UndiciRequest, HttpExchange>();

/** Parses alternating names and values or, undici's other form, header lines. */
function headersOf(flat: UndiciRequest['headers'] | readonly Buffer[]): Header[] {
  if (typeof flat === 'string') {
    return flat.split('\r\n').map((line) => line.split(/: ?(.*)/s, 2) as [string, string]);
  }
  const texts = flat.map(String);
  return texts.flatMap((name, i) => (i % 2 === 0 ? [[name, texts[i + 1] ?? ''] as const] : []));
}

const listeners: Readonly<Record<string, (message: UndiciMessage) => void>> = {
  create({ request }) {
    const { origin, method, path } = request;
    if (!services.has(String(origin))) return;
    const exchange = recordExchange(origin, `${method} ${path}`, headersOf(request.headers));
    if (exchange) recorded.set(request, exchange);
  },
  bodyChunkSent({ request, chunk }) {
    if (chunk !== undefined) recorded.get(request)?.requestBody.add(chunk);
  },
  headers({ request, response }) {
    const exchange = recorded.get(request);
    if (!exchange || !response) return;
    exchange.status = response.statusCode;
    exchange.responseHeaders = headersOf(response.headers);
  },
  bodyChunkReceived({ request, chunk }) {
    if (chunk !== undefined) recorded.get(request)?.responseBody.add(chunk);
  },
  error({ request, error }) {
    const exchange = recorded.get(request);
    if (exchange) exchange.error = String(error);
  },
};

let isObserving = false;

/** Once per worker, whose files share this module. */
export function startRecordingExchanges(): void {
  if (isObserving) return;
  isObserving = true;
  for (const [name, listen] of Object.entries(listeners)) {
    diagnostics.subscribe(`undici:request:${name}`, (message) => listen(message as UndiciMessage));
  }
}
