import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

/** An answer of the network to the page. */
interface PageResponse {
  readonly url: string;
  readonly status: number;
  /** What the page asked for, by its header Range. */
  readonly range: string | undefined;
}

/** A page of a browser without a window, driven by the DevTools protocol. */
export interface Page extends AsyncDisposable {
  readonly responses: readonly PageResponse[];
  /** What an expression gives in the page; a promise is waited for. */
  evaluate<T>(expression: string): Promise<T>;
}

/** Opens a page in a browser of its own. */
export async function openPage(url: string): Promise<Page> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'mneme-chromium-'));
  const flags = [
    ...['--headless=new', '--no-sandbox', '--disable-gpu', '--mute-audio', '--no-first-run'],
    ...['--disable-dev-shm-usage', '--autoplay-policy=no-user-gesture-required'],
    ...['--remote-debugging-port=0', `--user-data-dir=${folder}`, 'about:blank'],
  ];
  const browser = spawn('chromium', flags, { stdio: ['ignore', 'ignore', 'pipe'] });
  const ending = new AsyncDisposableStack();
  ending.defer(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  ending.defer(() => waitForExit(browser));
  try {
    const { host } = new URL(await readDevToolsUrl(browser));
    const listed = await fetch(`http://${host}/json/new?${url}`, { method: 'PUT' });
    const { webSocketDebuggerUrl: place } = (await listed.json()) as Record<string, string>;
    const tab = await DevToolsSession.open(place ?? '');
    ending.defer(async () => tab.close());
    return {
      responses: tab.responses,
      evaluate: (expression) => tab.evaluate(expression),
      [Symbol.asyncDispose]: () => ending.disposeAsync(),
    };
  } catch (error) {
    await ending.disposeAsync();
    throw error;
  }
}

/** Where it listens, which it writes among its complaints. */
function readDevToolsUrl(browser: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = '';
    browser.stderr?.on('data', (piece: Buffer) => {
      said += piece.toString('utf8');
      const found = /DevTools listening on (ws:\S+)/.exec(said)?.[1];
      if (found !== undefined) resolve(found);
    });
    browser.once('error', reject);
    browser.once('exit', () => reject(new Error(`Chromium ended: ${said.slice(-2_000)}`)));
  });
}

function waitForExit(browser: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (browser.exitCode !== null || browser.signalCode !== null) return resolve();
    browser.once('exit', () => resolve());
    browser.kill('SIGTERM');
  });
}

/** Of the many that its protocol has, what is looked at here. */
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
    socket.addEventListener('message', ({ data }) => this.#hear(JSON.parse(String(data))));
  }

  static async open(place: string): Promise<DevToolsSession> {
    const socket = new WebSocket(place);
    await new Promise((resolve, reject) => {
      socket.addEventListener('open', resolve, { once: true });
      socket.addEventListener('error', reject, { once: true });
    });
    const tab = new DevToolsSession(socket);
    await tab.#ask('Network.enable', {});
    return tab;
  }

  #hear(told: Message): void {
    if (told.id !== undefined) this.#waiting.get(told.id)?.resolve(told);
    const { requestId = '', headers, request, response } = told.params ?? {};
    const asked = Object.entries(headers ?? request?.headers ?? {});
    const range = asked.find(([name]) => name.toLowerCase() === 'range')?.[1];
    if (range !== undefined) this.#ranges.set(requestId, range);
    if (response === undefined || told.method !== 'Network.responseReceived') return;
    const { url, status } = response;
    this.responses.push({ url, status, range: this.#ranges.get(requestId) });
  }

  async #ask(method: string, params: object): Promise<Message> {
    this.#last += 1;
    const id = this.#last;
    const answer = Promise.withResolvers<Message>();
    this.#waiting.set(id, answer);
    this.#socket.send(JSON.stringify({ id, method, params }));
    const told = await answer.promise;
    if (told.error) throw new Error(`${method}: ${told.error.message}`);
    return told;
  }

  async evaluate<T>(expression: string): Promise<T> {
    const asked = { expression, awaitPromise: true, returnByValue: true };
    const { result } = await this.#ask('Runtime.evaluate', asked);
    const fault = result?.exceptionDetails;
    if (fault) throw new Error(fault.exception?.description ?? fault.text);
    return result?.result?.value as T;
  }

  close(): void {
    this.#socket.close();
  }
}
