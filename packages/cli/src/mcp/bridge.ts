import { sleep } from '../kernel.ts';

/** The parts of a JSON-RPC message that the bridge reads; the rest passes through. */
interface Message {
  readonly id?: string | number | null;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly result?: { readonly protocolVersion?: unknown };
}

export interface BridgeTarget {
  /** The URL of the MCP server. */
  readonly url: string;
  /** Called for each request, because the key may be created by the first start of a server. */
  readonly apiKey: () => Promise<string>;
  /** Starts the server again after a lost connection; null: it is not on this machine. */
  readonly restart: (() => Promise<void>) | null;
  readonly writeLine: (line: string) => void;
  readonly writeStderrLine: (line: string) => void;
}

const lineCharactersMax = 8 * 1024 * 1024;
/** Every tool can be repeated: a duplicate returns the existing id. */
const attemptsMax = 3;
const waitSecondsMax = 30;
const codes = { parseError: -32_700, failed: -32_000 } as const;
const protocolKey = 'io.modelcontextprotocol/protocolVersion';

/**
 * Forwards messages of a client on stdio to the MCP server over HTTP, as they are, and its answers
 * back. It adds only the headers that HTTP requires; the protocol itself stays between the client
 * and the server, of whatever version.
 */
export class StdioBridge {
  readonly #target: BridgeTarget;
  readonly #running = new Map<string | number, AbortController>();
  /** What the server said in its answer to `initialize`, for protocols of 2025. */
  #session: string | null = null;
  #protocol: string | null = null;

  constructor(target: BridgeTarget) {
    this.#target = target;
  }

  /** Resolves when the input has ended and every request is answered. */
  async run(lines: AsyncIterable<string>): Promise<void> {
    const pending = new Set<Promise<void>>();
    for await (const line of lines) {
      if (line.trim() === '') continue;
      for (const message of this.#parse(line)) {
        const forwarding = this.#forward(message).finally(() => pending.delete(forwarding));
        pending.add(forwarding);
        // Its answer has the headers of all later messages.
        if (message.method === 'initialize') await forwarding;
      }
    }
    await Promise.all(pending);
  }

  #parse(line: string): Message[] {
    try {
      if (line.length > lineCharactersMax) throw new Error('too long');
      const parsed: unknown = JSON.parse(line);
      const messages: unknown[] = Array.isArray(parsed) ? parsed : [parsed];
      // The server sends no requests, so that answers of the client belong to nothing.
      return messages.filter((one): one is Message => typeof Object(one).method === 'string');
    } catch {
      const message = `Send one JSON message per line, of at most ${lineCharactersMax} characters.`;
      this.#fail(null, codes.parseError, message);
      return [];
    }
  }

  async #forward(message: Message): Promise<void> {
    const { id, method, params } = message;
    if (method === 'notifications/cancelled') {
      this.#running.get(params?.requestId as string | number)?.abort();
      return;
    }
    const abort = new AbortController();
    if (id !== undefined && id !== null) this.#running.set(id, abort);
    try {
      const response = await this.#post(message, abort.signal);
      if (method === 'initialize') this.#session = response.headers.get('mcp-session-id');
      this.#answer(message, response, await response.text());
    } catch (error) {
      if (!abort.signal.aborted) this.#fail(id, codes.failed, describe(error, this.#target.url));
    } finally {
      if (id !== undefined && id !== null) this.#running.delete(id);
    }
  }

  /** Repeats a request while the server is away. Throws what the last attempt throws. */
  async #post(message: Message, signal: AbortSignal): Promise<Response> {
    const { url, apiKey, restart } = this.#target;
    for (let attempt = 1; ; attempt += 1) {
      try {
        const headers = { ...this.#headersFor(message), authorization: `Bearer ${await apiKey()}` };
        const body = JSON.stringify(message);
        const response = await fetch(url, { method: 'POST', body, headers, signal });
        if (response.status !== 503 || attempt >= attemptsMax) return response;
        await response.body?.cancel();
        const seconds = Number(response.headers.get('retry-after') ?? 1) || 1;
        await sleep(Math.min(seconds, waitSecondsMax) * 1_000);
      } catch (error) {
        if (signal.aborted || attempt >= attemptsMax || restart === null) throw error;
        await restart();
      }
    }
  }

  #headersFor({ method = '', params = {} }: Message): Record<string, string> {
    const meta = Object(params._meta) as Record<string, unknown>;
    const protocol = meta[protocolKey] ?? this.#protocol;
    const name = params.name ?? params.uri;
    return {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-method': encodeHeader(method),
      ...(typeof name === 'string' ? { 'mcp-name': encodeHeader(name) } : {}),
      ...(typeof protocol === 'string' ? { 'mcp-protocol-version': encodeHeader(protocol) } : {}),
      ...(this.#session === null ? {} : { 'mcp-session-id': this.#session }),
    };
  }

  #answer({ id, method }: Message, response: Response, text: string): void {
    const parsed = parseMessage(text);
    if (parsed === null) {
      if (id === undefined || response.status === 202) return;
      this.#fail(id, codes.failed, describeResponse(response, text));
      return;
    }
    if (method === 'initialize' && typeof parsed.result?.protocolVersion === 'string') {
      this.#protocol = parsed.result.protocolVersion;
    }
    if (id !== undefined) this.#target.writeLine(JSON.stringify(parsed));
  }

  #fail(id: Message['id'], code: number, message: string): void {
    this.#target.writeStderrLine(`mneme: ${message}`);
    if (id === undefined) return;
    this.#target.writeLine(JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } }));
  }
}

/** Header values are printable ASCII; others are sent as the protocol says. */
const encodeHeader = (value: string): string =>
  /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(value) && !value.startsWith('=?base64?')
    ? value
    : `=?base64?${Buffer.from(value).toString('base64')}?=`;

function parseMessage(text: string): Message | null {
  try {
    const parsed: unknown = JSON.parse(text);
    return Object(parsed).jsonrpc === '2.0' ? (parsed as Message) : null;
  } catch {
    return null;
  }
}

/** The error of a response that is none of the protocol: a wrong key, a limit, an unknown space. */
function describeResponse({ status, headers }: Response, text: string): string {
  const { code, message } = readError(text);
  const wait = headers.get('retry-after');
  return [
    `${code ?? `HTTP ${status}`}: ${message ?? 'The server at this URL is not Mneme.'}`,
    ...(status === 401 ? ['Set MNEME_API_KEY in the configuration of the client.'] : []),
    ...(wait === null ? [] : [`Retry in ${wait} s.`]),
  ].join(' ');
}

function readError(text: string): { code?: string; message?: string } {
  try {
    return Object(Object(JSON.parse(text)).error) as { code?: string; message?: string };
  } catch {
    return {};
  }
}

const describe = (error: unknown, url: string): string => {
  const { message, cause } = Object(error) as Error;
  const reason = Object(cause).code ?? message;
  return cause === undefined
    ? message
    : `No response from ${url} (${reason}). Start the service, or check MNEME_URL.`;
};
