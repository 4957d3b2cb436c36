import net from 'node:net';

/**
 * How the proxy treats connections: forwards them (`open`), delays responses (`slow`), rejects new
 * and closes open ones (`cut`), accepts them without a response (`silent`), responds that
 * PostgreSQL has too many clients (`full`), or forwards all but the second phase of commits over
 * several nodes, which wait for the next mode (`prepared`).
 */
type ProxyMode = 'open' | 'slow' | 'cut' | 'silent' | 'full' | 'prepared';

/** The delay of each response in the mode `slow`. */
export const slowResponseMs = 400;

/** A proxy that simulates failures of a PostgreSQL server that other tests also use. */
export interface DatabaseProxy extends AsyncDisposable {
  /** The URL of the database through the proxy. */
  readonly url: string;
  /** New connections go to the server of this URL, and open ones are closed. */
  setTarget(databaseUrl: string): void;
  setMode(mode: ProxyMode, options?: { keep?: boolean }): void;
  /** The number of connections whose commit waits. */
  readonly heldCommits: number;
}

/** Citus sends it in a message of its own, which is short enough to arrive in one piece. */
const isSecondPhase = (bytes: Buffer): boolean => bytes.includes('COMMIT PREPARED ');

/** https://www.postgresql.org/docs/current/protocol-message-formats.html */
function tooManyClients(): Buffer {
  const fields = Buffer.from(
    'SFATAL\0VFATAL\0C53300\0Msorry, too many clients already\0\0',
    'latin1',
  );
  const head = Buffer.alloc(5);
  head.write('E');
  head.writeInt32BE(fields.length + 4, 1);
  return Buffer.concat([head, fields]);
}

/** `keep` of `setMode` leaves open connections open. */
export async function startDatabaseProxy(databaseUrl: string): Promise<DatabaseProxy> {
  let target = new URL(databaseUrl);
  let mode: ProxyMode = 'open';
  const sockets = new Set<net.Socket>();
  /** By connection whose commit waits: sends it. */
  const held = new Map<net.Socket, () => void>();
  const server = net.createServer((client) => {
    sockets.add(client);
    client.on('close', () => sockets.delete(client)).on('error', () => undefined);
    if (mode === 'cut') client.destroy();
    else if (mode === 'full') client.once('data', () => client.end(tooManyClients()));
    else if (mode !== 'silent') forward(client);
  });
  function forward(client: net.Socket): void {
    const upstream = net.connect(Number(target.port || 5432), target.hostname);
    upstream.on('error', () => client.destroy()).on('close', () => client.destroy());
    client.on('close', () => {
      held.delete(client);
      upstream.destroy();
    });
    upstream.on('data', (bytes) => {
      if (mode === 'slow') setTimeout(() => client.write(bytes), slowResponseMs);
      else if (mode !== 'silent') client.write(bytes);
    });
    client.on('data', (bytes) => {
      if (mode === 'prepared' && isSecondPhase(bytes)) {
        client.pause();
        held.set(client, () => {
          upstream.write(bytes);
          client.resume();
        });
      } else if (mode !== 'silent') upstream.write(bytes);
    });
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const proxyUrl = new URL(databaseUrl);
  proxyUrl.host = `127.0.0.1:${(server.address() as net.AddressInfo).port}`;
  return {
    url: proxyUrl.href,
    setTarget(next) {
      target = new URL(next);
      for (const socket of sockets) socket.destroy();
    },
    setMode(next, { keep = false } = {}) {
      mode = next;
      if (!keep) for (const socket of sockets) socket.destroy();
      else for (const release of held.values()) release();
      held.clear();
    },
    get heldCommits() {
      return held.size;
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
