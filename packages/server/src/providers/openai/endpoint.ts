import { readErrorCode, readErrorField } from './error-response.ts';
import { type FailedAttempt, type Sleep, sleepFor, withRetries } from './retry.ts';

export interface EndpointSettings {
  /** Base address of the API, e.g. `https://api.openai.com/v1`. */
  readonly url: string;
  readonly apiKey?: string;
  /** For one attempt, in milliseconds. */
  readonly timeoutMs: number;
}

export interface EndpointDeps {
  fetch?: typeof fetch;
  sleep?: Sleep;
}

/** The error of what is asked for: the message is for the log. */
type EndpointErrorClass = new (
  message: string,
  options: ErrorOptions & {
    unavailable?: boolean;
    isPermanent?: boolean;
    rejectedField?: string | null;
  },
) => Error;

interface EndpointKind {
  /** As messages name it: "embedding endpoint". */
  readonly name: string;
  /** What the names of its settings begin with: "MNEME_EMBEDDING". */
  readonly settings: string;
  /** Appended to the base address. */
  readonly path: string;
  /** Of any answer, after decompression; a call may set a lower limit. */
  readonly responseBytesMax: number;
  readonly ErrorClass: EndpointErrorClass;
}

/** One call of an API like OpenAI's: bearer key, JSON or a form in a POST. */
export class OpenAiEndpoint {
  readonly #settings: EndpointSettings;
  readonly #kind: EndpointKind;
  readonly #address: string;
  readonly #fetch: typeof fetch;
  readonly #sleep: Sleep;

  constructor(settings: EndpointSettings, kind: EndpointKind, surroundings: EndpointDeps) {
    this.#settings = settings;
    this.#kind = kind;
    this.#address = `${settings.url.replace(/\/+$/, '')}/${kind.path}`;
    this.#fetch = surroundings.fetch ?? fetch;
    this.#sleep = surroundings.sleep ?? sleepFor;
  }

  /**
   * The answer's text, asked for again while the endpoint is busy, broken or out of reach.
   * @param answerBytesMax for this call, where its answer must be smaller than the kind's limit
   * @throws the kind's error, unavailable where no other request would fare better
   * @throws the signal's reason when it is aborted
   */
  async request(
    body: string | FormData,
    signal?: AbortSignal,
    answerBytesMax = this.#kind.responseBytesMax,
  ): Promise<string> {
    const sent = { ...(await encodeBody(body)), answerBytesMax };
    return withRetries(() => this.#attempt(sent, signal), this.#sleep, signal);
  }

  /** The kind's error, for an answer that is of no use. */
  createError(told: string): Error {
    return new this.#kind.ErrorClass(`${this.#kind.name}: ${told}`, {});
  }

  async #attempt(
    { type, body, answerBytesMax }: Call,
    signal: AbortSignal | undefined,
  ): Promise<{ value: string } | FailedAttempt> {
    const { name, ErrorClass } = this.#kind;
    const timeout = AbortSignal.timeout(this.#settings.timeoutMs);
    try {
      const response = await this.#fetch(this.#address, {
        method: 'POST',
        headers: this.#headers(type),
        body,
        signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
        // Not followed: a redirect could carry the key to another host.
        redirect: 'manual',
      });
      const text = await this.#textOf(response, answerBytesMax);
      return response.ok ? { value: text } : this.#refusal(response, text);
    } catch (cause) {
      signal?.throwIfAborted();
      if (cause instanceof ErrorClass) throw cause;
      const why = timeout.aborted
        ? `no answer within ${this.#settings.timeoutMs} ms`
        : 'no connection';
      const error = new ErrorClass(`${name}: ${why}`, { cause, unavailable: true });
      return { error, canRetry: true, isTimeout: timeout.aborted };
    }
  }

  async #textOf(response: Response, answerBytesMax: number): Promise<string> {
    const { name, ErrorClass } = this.#kind;
    const parts: Uint8Array[] = [];
    let bytes = 0;
    for await (const part of response.body ?? []) {
      bytes += part.byteLength;
      if (bytes > answerBytesMax) {
        throw new ErrorClass(`${name}: an answer of more than ${answerBytesMax} bytes`, {});
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

  #refusal(response: Response, body: string): FailedAttempt {
    const { name, settings, ErrorClass } = this.#kind;
    const again = response.status === 429 || response.status >= 500;
    const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
    const { apiKey } = this.#settings;
    // The code alone: the rest of the body may repeat the text that was sent, or the key.
    const told = readErrorCode(apiKey ? body.replaceAll(apiKey, '***') : body);
    const remedy = findRemedy(response.status, settings);
    const message = `${name}: ${response.status} ${told}`.trimEnd();
    return {
      error: new ErrorClass(remedy === null ? message : `${message} (${remedy})`, {
        unavailable: again || remedy !== null,
        isPermanent: remedy !== null,
        rejectedField: again ? null : readErrorField(body),
      }),
      canRetry: again,
      pauseMs: seconds >= 0 ? seconds * 1000 : undefined,
    };
  }
}

interface EncodedBody {
  readonly type: string;
  readonly body: string | Uint8Array<ArrayBuffer>;
}

interface Call extends EncodedBody {
  readonly answerBytesMax: number;
}

/** A form as bytes: breaking off one that streams would leave a rejection that nobody handles. */
async function encodeBody(body: string | FormData): Promise<EncodedBody> {
  if (typeof body === 'string') return { type: 'application/json', body };
  const form = new Response(body);
  return {
    type: form.headers.get('content-type') ?? '',
    body: new Uint8Array(await form.arrayBuffer()),
  };
}

/** A redirect, a refused key or model name fails every request, until the setting is changed. */
function findRemedy(status: number, settings: string): string | null {
  if (status >= 300 && status < 400) {
    return `it redirects, which is not followed: set ${settings}_URL to the final address`;
  }
  if (status === 401) return `it refuses the key: see ${settings}_API_KEY`;
  if (status === 403) return `it refuses the key or model: see ${settings}_API_KEY and _MODEL`;
  if (status === 404) return `no such address or model: see ${settings}_URL and ${settings}_MODEL`;
  return null;
}
