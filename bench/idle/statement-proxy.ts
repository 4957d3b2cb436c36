import { once } from 'node:events';
import net, { type AddressInfo } from 'node:net';

/** A proxy in front of PostgreSQL that counts the statements of one process, by their text. */
export interface StatementProxy extends AsyncDisposable {
  /** The URL of the database through the proxy. */
  readonly url: string;
  /** Executions since the start, or since the last call of `reset`. */
  readonly counts: ReadonlyMap<string, number>;
  reset(): void;
}

/** https://www.postgresql.org/docs/current/protocol-message-formats.html */
const headBytes = 5;

/** Reads the messages of one client, however they are divided into chunks. */
function createMessageReader(onStatement: (text: string) => void): (chunk: Buffer) => void {
  let pending = Buffer.alloc(0);
  let hasStarted = false;
  const texts = new Map<string, string>();
  const portals = new Map<string, string>();

  function readMessage(type: string, body: Buffer): void {
    const end = body.indexOf(0);
    const first = body.toString('utf8', 0, end);
    const second = (): string => body.toString('utf8', end + 1, body.indexOf(0, end + 1));
    if (type === 'Q') onStatement(first);
    else if (type === 'P') texts.set(first, second());
    else if (type === 'B') portals.set(first, texts.get(second()) ?? '');
    else if (type === 'E') onStatement(portals.get(first) ?? '');
  }

  return (chunk) => {
    pending = Buffer.concat([pending, chunk]);
    for (;;) {
      // The first message has no type.
      const at = hasStarted ? 1 : 0;
      if (pending.length < headBytes) return;
      const length = at + pending.readInt32BE(at);
      if (pending.length < length) return;
      if (hasStarted)
        readMessage(String.fromCharCode(pending[0] ?? 0), pending.subarray(5, length));
      hasStarted = true;
      pending = pending.subarray(length);
    }
  };
}

/** Variables of a text with as many parameters as values are alike. */
const normalise = (text: string): string => text.replace(/\s+/g, ' ').trim();

export async function startStatementProxy(databaseUrl: string): Promise<StatementProxy> {
  const target = new URL(databaseUrl);
  const counts = new Map<string, number>();
  const sockets = new Set<net.Socket>();
  const server = net.createServer((client) => {
    const upstream = net.connect(Number(target.port || 5432), target.hostname);
    const read = createMessageReader((text) => {
      const key = normalise(text);
      counts.set(key, (counts.get(key) ?? 0) + 1);
    });
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(one);
      one.on('error', () => other.destroy()).on('close', () => other.destroy());
      one.on('close', () => sockets.delete(one));
      one.setNoDelay(true);
      one.pipe(other);
    }
    client.on('data', read);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(databaseUrl);
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: url.href,
    counts,
    reset: () => counts.clear(),
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
