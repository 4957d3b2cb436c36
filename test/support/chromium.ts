import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

/** A network response that the page received. */
interface PageResponse {
  readonly url: string;
  readonly status: number;
  /** The Range header of the request. */
  readonly range: string | undefined;
}

/** A page of a headless browser, controlled by the DevTools protocol. */
export interface BrowserPage extends AsyncDisposable {
  readonly responses: readonly PageResponse[];
  /** Evaluates an expression in the page and awaits its promise. */
  evaluate<T>(expression: string): Promise<T>;
}

/** Opens a page in a new browser process. */
export async function openBrowserPage(url: string): Promise<BrowserPage> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'mneme-chromium-'));
  const flags = [
    ...['--headless=new', '--no-sandbox', '--disable-gpu', '--mute-audio', '--no-first-run'],
    ...['--disable-dev-shm-usage', '--autoplay-policy=no-user-gesture-required'],
    ...['--remote-debugging-port=0', `--user-data-dir=${folder}`, 'about:blank'],
  ];
  const browser = spawn('chromium', flags, { stdio: ['ignore', 'ignore', 'pipe'] });
  const cleanup = new AsyncDisposableStack();
  cleanup.defer(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  cleanup.defer(() => waitForExit(browser));
  try {
    const { host } = new URL(await readDevToolsUrl(browser));
    const created = await fetch(`http://${host}/json/new?${url}`, { method: 'PUT' });
    const { webSocketDebuggerUrl } = (await created.json()) as Record<string, string>;
    const tab = await DevToolsSession.open(webSocketDebuggerUrl ?? '');
    cleanup.defer(async () => tab.close());
    return {
      responses: tab.responses,
      evaluate: (expression) => tab.evaluate(expression),
      [Symbol.asyncDispose]: () => cleanup.disposeAsync(),
    };
  } catch (error) {
    await cleanup.disposeAsync();
    throw error;
  }
}

/** Reads the DevTools URL from the standard error of the browser. */
function readDevToolsUrl(browser: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = '';
    browser.stderr?.on('data', (chunk: Buffer) => {
      output += chunk.toString('utf8');
      const devToolsUrl = /DevTools listening on (ws:\S+)/.exec(output)?.[1];
      if (devToolsUrl !== undefined) resolve(devToolsUrl);
    });
    browser.once('error', reject);
    browser.once('exit', () => reject(new Error(`Chromium ended: ${output.slice(-2_000)}`)));
  });
}

function waitForExit(browser: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (browser.exitCode !== null || browser.signalCode !== null) return resolve();
    browser.once('exit', () => resolve());
    browser.kill('SIGTERM');
  });
}

/** The fields of DevTools messages that are used here. */
interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: {
    readonly requestId?: string;
    readonly headers?: Readonly<Record<string, string>>;
    readonly request?: { readonly headers: Readonly<Record<string, string>> };
    readonly response?: { readonly url: string; readonly status: number };
  };
  readonly result?: {
    readonly result?: { readonly value: unknown };
    readonly exceptionDetails?: {
      readonly text: string;
      readonly exception?: { readonly description?: string };
    };
  };
  readonly error?: { readonly message: string };
}

class DevToolsSession {
  readonly responses: PageResponse[] = [];
  readonly #socket: WebSocket;
  readonly #waiting = new Map<number, PromiseWithResolvers<Message>>();
  readonly #ranges = new Map<string, string>();
  #last = 0;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.addEventListener('message', ({ data }) => this.#handleMessage(JSON.parse(String(data))));
  }

  static async open(url: string): Promise<DevToolsSession> {
    const socket = new WebSocket(url);
    await new Promise((resolve, reject) => {
      socket.addEventListener('open', resolve, { once: true });
      socket.addEventListener('error', reject, { once: true });
    });
    const tab = new DevToolsSession(socket);
    await tab.#send('Network.enable', {});
    return tab;
  }

  #handleMessage(message: Message): void {
    if (message.id !== undefined) this.#waiting.get(message.id)?.resolve(message);
    const { requestId = '', headers, request, response } = message.params ?? {};
    const entries = Object.entries(headers ?? request?.headers ?? {});
    const range = entries.find(([name]) => name.toLowerCase() === 'range')?.[1];
    if (range !== undefined) this.#ranges.set(requestId, range);
    if (response === undefined || message.method !== 'Network.responseReceived') return;
    const { url, status } = response;
    this.responses.push({ url, status, range: this.#ranges.get(requestId) });
  }

  async #send(method: string, params: object): Promise<Message> {
    this.#last += 1;
    const id = this.#last;
    const reply = Promise.withResolvers<Message>();
    this.#waiting.set(id, reply);
    this.#socket.send(JSON.stringify({ id, method, params }));
    const message = await reply.promise;
    if (message.error) throw new Error(`${method}: ${message.error.message}`);
    return message;
  }

  async evaluate<T>(expression: string): Promise<T> {
    const params = { expression, awaitPromise: true, returnByValue: true };
    const { result } = await this.#send('Runtime.evaluate', params);
    const exception = result?.exceptionDetails;
    if (exception) throw new Error(exception.exception?.description ?? exception.text);
    return result?.result?.value as T;
  }

  close(): void {
    this.#socket.close();
  }
}
