import { type Span, type SpanAttributes, withSpan } from '../../kernel/tracing.ts';
import { parseJson, readErrorCode, readErrorField } from './error-response.ts';
import { type FailedAttempt, type Sleep, sleepFor, withRetries } from './retry.ts';

export interface EndpointSettings {
  /** Base address of the API, e.g. `https://api.openai.com/v1`. */
  readonly url: string;
  readonly apiKey?: string;
  /** Its name in traces. */
  readonly model?: string | null;
  /** Timeout of one attempt, in milliseconds. */
  readonly timeoutMs: number;
  /**
   * By default an endpoint that is busy, failing or unreachable is called again. For callers that
   * cannot wait, only a lost connection is, within the same timeout.
   */
  readonly retries?: 'all' | 'lost connection';
}

export interface EndpointDeps {
  fetch?: typeof fetch;
  sleep?: Sleep;
}

/** Error class of the provider: the message is for the log. */
type EndpointErrorClass = new (
  message: string,
  options: ErrorOptions & {
    unavailable?: boolean;
    isPermanent?: boolean;
    rejectedField?: string | null;
  },
) => Error;

interface EndpointKind {
  /** Name in messages: "embedding endpoint". */
  readonly name: string;
  /** Prefix of its settings: "MNEME_EMBEDDING". */
  readonly settings: string;
  /** Path appended to the base address. */
  readonly path: string;
  /** Limit of a response after decompression; a call may set a lower one. */
  readonly responseBytesMax: number;
  readonly ErrorClass: EndpointErrorClass;
}

const chatPath = 'chat/completions';

/** Names of calls in traces; those of OpenTelemetry's conventions for models, if they have it. */
const operations: Readonly<Record<string, string>> = {
  [chatPath]: 'chat',
  'audio/transcriptions': 'transcription',
};

/** Client of one call of an OpenAI-compatible API: bearer key, POST with JSON or a form. */
export class OpenAiEndpoint {
  readonly #settings: EndpointSettings;
  readonly #kind: EndpointKind;
  readonly #address: string;
  readonly #spanName: string;
  readonly #spanAttributes: SpanAttributes;
  readonly #fetch: typeof fetch;
  readonly #sleep: Sleep;

  constructor(settings: EndpointSettings, kind: EndpointKind, deps: EndpointDeps) {
    this.#settings = settings;
    this.#kind = kind;
    this.#address = `${settings.url.replace(/\/+$/, '')}/${kind.path}`;
    const operation = operations[kind.path] ?? kind.path;
    const { model } = settings;
    this.#spanName = model ? `${operation} ${model}` : operation;
    this.#spanAttributes = {
      'gen_ai.operation.name': operation,
      // The protocol of the endpoint; it may serve models of others.
      'gen_ai.provider.name': 'openai',
      ...(model && { 'gen_ai.request.model': model }),
      ...serverAttributes(settings.url),
    };
    this.#fetch = deps.fetch ?? fetch;
    this.#sleep = deps.sleep ?? sleepFor;
  }

  /**
   * Returns the text of the response; retries while the endpoint is busy, failing or unreachable.
   * @param responseBytesMax a lower limit than that of the kind
   * @throws the kind's error, with `unavailable` if any other request would fail, too
   * @throws the signal's reason when it is aborted
   */
  async request(
    body: string | FormData,
    signal?: AbortSignal,
    responseBytesMax = this.#kind.responseBytesMax,
  ): Promise<string> {
    const sent = { ...(await encodeBody(body)), responseBytesMax };
    const options = { kind: 'client', attributes: this.#spanAttributes } as const;
    return withSpan(this.#spanName, options, async (span) => {
      const text = await (this.#settings.retries === 'lost connection'
        ? this.#requestAtOnce(sent, signal)
        : withRetries(() => this.#attempt(sent, signal), this.#sleep, signal));
      if (span && this.#kind.path === chatPath) recordUsage(span, text);
      return text;
    });
  }

  /** The kind's error for an unusable response. */
  createError(detail: string): Error {
    return new this.#kind.ErrorClass(`${this.#kind.name}: ${detail}`, {});
  }

  async #requestAtOnce(sent: Call, signal: AbortSignal | undefined): Promise<string> {
    const timeout = AbortSignal.timeout(this.#settings.timeoutMs);
    const first = await this.#attempt(sent, signal, timeout);
    const isLost = 'error' in first && first.isConnectionLost === true;
    const outcome = isLost ? await this.#attempt(sent, signal, timeout) : first;
    if ('value' in outcome) return outcome.value;
    throw outcome.error;
  }

  async #attempt(
    { type, body, responseBytesMax }: Call,
    signal: AbortSignal | undefined,
    timeout = AbortSignal.timeout(this.#settings.timeoutMs),
  ): Promise<{ value: string } | FailedAttempt> {
    const { name, ErrorClass } = this.#kind;
    try {
      const response = await this.#fetch(this.#address, {
        method: 'POST',
        headers: this.#headers(type),
        body,
        signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
        // Not followed: a redirect could carry the key to another host.
        redirect: 'manual',
      });
      const text = await this.#textOf(response, responseBytesMax);
      return response.ok ? { value: text } : this.#toFailedAttempt(response, text);
    } catch (cause) {
      signal?.throwIfAborted();
      if (cause instanceof ErrorClass) throw cause;
      const reason = timeout.aborted
        ? `no response within ${this.#settings.timeoutMs} ms`
        : 'no connection';
      const error = new ErrorClass(`${name}: ${reason}`, { cause, unavailable: true });
      const isTimeout = timeout.aborted;
      return { error, canRetry: true, isTimeout, isConnectionLost: !isTimeout };
    }
  }

  async #textOf(response: Response, responseBytesMax: number): Promise<string> {
    const { name, ErrorClass } = this.#kind;
    const parts: Uint8Array[] = [];
    let bytes = 0;
    for await (const part of response.body ?? []) {
      bytes += part.byteLength;
      if (bytes > responseBytesMax) {
        throw new ErrorClass(`${name}: a response of more than ${responseBytesMax} bytes`, {});
      }
      parts.push(part);
    }
    return new TextDecoder().decode(Buffer.concat(parts));
  }

  #headers(type: string): Record<string, string> {
    const { apiKey } = this.#settings;
    const headers: Record<string, string> = { 'content-type': type };
    if (apiKey) headers.authorization = `Bearer ${apiKey}`;
    return headers;
  }

  #toFailedAttempt(response: Response, body: string): FailedAttempt {
    const { name, settings, ErrorClass } = this.#kind;
    const canRetry = response.status === 429 || response.status >= 500;
    const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
    const { apiKey } = this.#settings;
    // Only the error code: the rest of the body may contain the submitted text or the key.
    const detail = readErrorCode(apiKey ? body.replaceAll(apiKey, '***') : body);
    const remedy = findRemedy(response.status, settings);
    const message = `${name}: ${response.status} ${detail}`.trimEnd();
    return {
      error: new ErrorClass(remedy === null ? message : `${message} (${remedy})`, {
        unavailable: canRetry || remedy !== null,
        isPermanent: remedy !== null,
        rejectedField: canRetry ? null : readErrorField(body),
      }),
      canRetry,
      pauseMs: seconds >= 0 ? seconds * 1000 : undefined,
    };
  }
}

function serverAttributes(url: string): SpanAttributes {
  const { hostname, port, protocol } = new URL(url);
  const defaultPort = protocol === 'https:' ? 443 : 80;
  return { 'server.address': hostname, 'server.port': Number(port) || defaultPort };
}

/** The tokens of a call, if the response reports them. */
function recordUsage(span: Span, text: string): void {
  const { usage } = Object(parseJson(text)) as { usage?: Record<string, unknown> };
  const { prompt_tokens: input, completion_tokens: output } = usage ?? {};
  if (typeof input === 'number') span.setAttributes({ 'gen_ai.usage.input_tokens': input });
  if (typeof output === 'number') span.setAttributes({ 'gen_ai.usage.output_tokens': output });
}

interface EncodedBody {
  readonly type: string;
  readonly body: string | Uint8Array<ArrayBuffer>;
}

interface Call extends EncodedBody {
  readonly responseBytesMax: number;
}

/** Encodes a form as bytes: aborting a streamed form would cause an unhandled rejection. */
async function encodeBody(body: string | FormData): Promise<EncodedBody> {
  if (typeof body === 'string') return { type: 'application/json', body };
  const form = new Response(body);
  return {
    type: form.headers.get('content-type') ?? '',
    body: new Uint8Array(await form.arrayBuffer()),
  };
}

/** A redirect, a rejected key or model fails every request until the setting is changed. */
function findRemedy(status: number, settings: string): string | null {
  if (status >= 300 && status < 400) {
    return `redirects are not followed: set ${settings}_URL to the final address`;
  }
  if (status === 401) return `the key was rejected: see ${settings}_API_KEY`;
  if (status === 403) return `the key or model was rejected: see ${settings}_API_KEY and _MODEL`;
  if (status === 404) return `unknown address or model: see ${settings}_URL and ${settings}_MODEL`;
  return null;
}
