import net from 'node:net';
import { recordExchange } from './exchanges.ts';

/** A connection by hand, for what no HTTP client would send. */
export interface RawHttpConnection extends Disposable {
  /** Sends text as it is, one byte a character. */
  send(text: string): void;
  /** The next whole answer; rejects when the connection ends before one. */
  readResponse(): Promise<RawHttpResponse>;
  /** Waits for the first bytes of an answer and takes no more, ever. */
  waitForFirstBytes(): Promise<void>;
  /** Resolves when the connection has ended, with what nobody took as an answer. */
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
  const waiting: PendingResponse[] = [];
  const hand = (): void => {
    for (
      let taken = parseResponse(received);
      waiting.length > 0 && taken;
      taken = parseResponse(received)
    ) {
      received = received.subarray(taken.length);
      waiting.shift()?.resolve(taken.answer);
    }
  };
  socket.on('data', (bytes: Buffer) => {
    exchange?.responseBody.add(bytes);
    received = received.length === 0 ? bytes : Buffer.concat([received, bytes]);
    hand();
  });
  const ended = new Promise<string>((resolve) => {
    socket.once('close', () => {
      for (const { reject } of waiting.splice(0)) reject(new Error('ended without an answer'));
      resolve(received.toString('latin1'));
    });
  });
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve).once('error', reject);
  });
  // A reset is an end like any other: what came before it has been read.
  socket.on('error', () => undefined);
  return {
    ended,
    send(text) {
      exchange?.requestBody.add(Buffer.from(text, 'latin1'));
      socket.write(text, 'latin1');
    },
    readResponse: () =>
      new Promise((resolve, reject) => {
        waiting.push({ resolve, reject });
        hand();
        if (socket.closed && waiting.length > 0) waiting.pop()?.reject(new Error('it has ended'));
      }),
    waitForFirstBytes: async () => {
      await new Promise((resolve, reject) => {
        socket.once('data', resolve).once('close', () => reject(new Error('it has ended')));
      });
      socket.pause();
    },
    [Symbol.dispose]: () => void socket.destroy(),
  };
}

/** The first whole answer of these bytes; none is read from a status that has no body. */
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
