import net from 'node:net';

/**
 * What happens to connections: they are carried on, at once or late, refused (and open ones
 * broken), taken in silence, or told that PostgreSQL has no room for more of them.
 */
type ProxyMode = 'open' | 'slow' | 'cut' | 'silent' | 'full';

/** How late each answer comes through a slow proxy. */
export const slowResponseMs = 400;

/** A way to a PostgreSQL that a test can spoil, without stopping a server that others use. */
export interface DatabaseProxy extends AsyncDisposable {
  /** The database's URL, by way of the proxy. */
  readonly url: string;
  setMode(mode: ProxyMode, options?: { keep?: boolean }): void;
}

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

/** `keep`: connections that are open stay, and nothing more comes through them. */
export async function startDatabaseProxy(databaseUrl: string): Promise<DatabaseProxy> {
  const target = new URL(databaseUrl);
  let mode: ProxyMode = 'open';
  const sockets = new Set<net.Socket>();
  const server = net.createServer((near) => {
    sockets.add(near);
    near.on('close', () => sockets.delete(near)).on('error', () => undefined);
    if (mode === 'cut') near.destroy();
    else if (mode === 'full') near.once('data', () => near.end(tooManyClients()));
    else if (mode === 'open' || mode === 'slow') carry(near);
  });
  function carry(near: net.Socket): void {
    const far = net.connect(Number(target.port || 5432), target.hostname);
    far.on('error', () => near.destroy()).on('close', () => near.destroy());
    near.on('close', () => far.destroy());
    far.on('data', (bytes) => {
      if (mode === 'slow') setTimeout(() => near.write(bytes), slowResponseMs);
      else if (mode !== 'silent') near.write(bytes);
    });
    near.on('data', (bytes) => mode !== 'silent' && far.write(bytes));
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const own = new URL(databaseUrl);
  own.host = `127.0.0.1:${(server.address() as net.AddressInfo).port}`;
  return {
    url: own.href,
    setMode(next, { keep = false } = {}) {
      mode = next;
      if (!keep) for (const socket of sockets) socket.destroy();
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
