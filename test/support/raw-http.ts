import net from 'node:net';
import { recordExchange } from './http-exchanges.ts';

/** A raw TCP connection, for requests that HTTP clients do not send. */
export interface RawHttpConnection extends Disposable {
  /** Sends text in Latin-1, one byte per character. */
  send(text: string): void;
  /** The next complete response; rejects if the connection ends first. */
  readResponse(): Promise<RawHttpResponse>;
  /** Waits for the first bytes of a response, then stops reading. */
  waitForFirstBytes(): Promise<void>;
  /** Resolves when the connection has ended, with the unread bytes. */
  readonly ended: Promise<string>;
}

export interface RawHttpResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

interface PendingResponse {
  resolve(answer: RawHttpResponse): void;
  reject(error: Error): void;
}

/** Connects to the host and port of `url`. */
export async function openRawConnection(url: string): Promise<RawHttpConnection> {
  const { hostname, port } = new URL(url);
  const socket = net.connect(Number(port), hostname);
  socket.setNoDelay(true);
  const exchange = recordExchange(url, 'bytes of a connection');
  let received: Buffer = Buffer.alloc(0);
  const pending: PendingResponse[] = [];
  const deliver = (): void => {
    for (
      let parsed = parseResponse(received);
      pending.length > 0 && parsed;
      parsed = parseResponse(received)
    ) {
      received = received.subarray(parsed.length);
      pending.shift()?.resolve(parsed.answer);
    }
  };
  socket.on('data', (bytes: Buffer) => {
    exchange?.responseBody.add(bytes);
    received = received.length === 0 ? bytes : Buffer.concat([received, bytes]);
    deliver();
  });
  const ended = new Promise<string>((resolve) => {
    socket.once('close', () => {
      for (const { reject } of pending.splice(0))
        reject(new Error('the connection ended before a response'));
      resolve(received.toString('latin1'));
    });
  });
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve).once('error', reject);
  });
  // A reset ends the connection like a close: earlier bytes have been read.
  socket.on('error', () => undefined);
  return {
    ended,
    send(text) {
      exchange?.requestBody.add(Buffer.from(text, 'latin1'));
      socket.write(text, 'latin1');
    },
    readResponse: () =>
      new Promise((resolve, reject) => {
        pending.push({ resolve, reject });
        deliver();
        if (socket.closed && pending.length > 0)
          pending.pop()?.reject(new Error('the connection has ended'));
      }),
    waitForFirstBytes: async () => {
      await new Promise((resolve, reject) => {
        socket
          .once('data', resolve)
          .once('close', () => reject(new Error('the connection has ended')));
      });
      socket.pause();
    },
    [Symbol.dispose]: () => void socket.destroy(),
  };
}

/** Parses the first complete response; a missing Content-Length means no body. */
function parseResponse(received: Buffer): { answer: RawHttpResponse; length: number } | null {
  const end = received.indexOf('\r\n\r\n');
  if (end < 0) return null;
  const [start = '', ...lines] = received.toString('latin1', 0, end).split('\r\n');
  const fields = lines.map((line) => line.split(/: ?(.*)/s, 2) as [string, string]);
  const headers = new Headers(fields);
  const from = end + 4;
  const length = from + Number(headers.get('content-length') ?? 0);
  if (received.length < length) return null;
  const status = Number(start.split(' ')[1]);
  return { answer: { status, headers, text: received.toString('utf8', from, length) }, length };
}
