import net, { type AddressInfo } from 'node:net';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { eventually } from '../../../../../test/support/eventually.ts';
import { createFakeClock, type FakeClock } from '../../../../../test/support/fake-clock.ts';
import { isAvailable } from '../../../../../test/support/requirements.ts';
import type { Engine } from '../engine.ts';
import type { ProcessRole } from '../process-group.ts';
import { makeTestDatabase, silentLog } from '../testing.ts';
import { openServer } from './server.ts';

const heartbeatMs = 30_000;
const catchUpMs = 300_000;
const catchUpStepMs = 50;
const publishIntervalMs = 100;

describe.runIf(isAvailable('postgresql'))('the processes of a server database', () => {
  let ending: AsyncDisposableStack;
  let url: string;
  let clock: FakeClock;

  beforeEach(async () => {
    ending = new AsyncDisposableStack();
    const database = await makeTestDatabase(process.env.MNEME_TEST_DATABASE_URL ?? '');
    ending.defer(() => database.drop());
    url = database.url;
    // Stands still: timers fire when the test advances it.
    clock = createFakeClock(() => 0);
  });
  afterEach(() => ending.disposeAsync());

  interface OpenOptions {
    readonly isCandidate?: boolean;
    readonly version?: number;
    readonly at?: string;
  }

  async function open({ isCandidate = true, version = 1, at = url }: OpenOptions = {}) {
    const engine = ending.use(
      await openServer({ kind: 'server', url: at, poolMax: 2 }, { log: silentLog }),
    );
    engine.requireSchema(version);
    engine.processes.join(clock, { id: crypto.randomUUID(), isCandidate });
    return engine;
  }
  const untilRole = ({ processes }: Engine, role: ProcessRole) =>
    eventually(
      async () => processes.role,
      (found) => found === role,
    );
  async function openWithRole(role: ProcessRole, options?: OpenOptions): Promise<Engine> {
    const engine = await open(options);
    await untilRole(engine, role);
    return engine;
  }

  /** The messages that an engine receives, with the accounts that they name. */
  function receive({ processes }: Engine, topic: string): (string[] | null)[] {
    const received: (string[] | null)[] = [];
    processes.subscribe(topic, (accounts) => received.push(accounts && [...accounts].toSorted()));
    return received;
  }
  const untilReceived = (received: readonly unknown[], count: number) =>
    eventually(
      async () => received.length,
      (length) => length >= count,
    );

  it('elect one leader, and another one as soon as it ends', async () => {
    const first = await openWithRole('leader');
    const second = await openWithRole('follower');
    await first[Symbol.asyncDispose]();
    await untilRole(second, 'leader');
  });

  it('elect another leader at a heartbeat after the session of the first is lost', async () => {
    const first = await openWithRole('leader');
    const second = await openWithRole('follower');
    await endSessions(second);
    await Promise.all([first, second].map((engine) => untilRole(engine, 'single')));
    clock.advance(heartbeatMs);
    await eventually(
      async () => [first, second].map(({ processes }) => processes.role).toSorted(),
      (roles) => roles.join() === 'follower,leader',
    );
  });

  it('elect none that runs no jobs, and one for each schema version', async () => {
    await openWithRole('follower', { isCandidate: false });
    await openWithRole('leader');
    await openWithRole('leader', { version: 2 });
    await openWithRole('follower', { version: 2 });
  });

  it('receive the messages of others, but not their own', async () => {
    const first = await openWithRole('leader');
    const second = await openWithRole('follower');
    const own = receive(first, 'jobs');
    const received = receive(second, 'jobs');
    const others = receive(second, 'mail');
    first.processes.publish('jobs');
    await untilReceived(received, 1);
    expect([received, own, others]).toEqual([[null], [], []]);
  });

  it('send one message for all that they publish within 100 ms', async () => {
    const first = await openWithRole('leader');
    const second = await openWithRole('follower');
    const [events, mail] = [receive(second, 'events'), receive(second, 'mail')];
    first.processes.publish('events', new Set(['a']));
    await untilReceived(events, 1);
    for (const account of ['b', 'c']) first.processes.publish('events', new Set([account]));
    first.processes.publish('mail');
    clock.advance(publishIntervalMs - 1);
    first.processes.publish('events', new Set(['d']));
    expect(events).toEqual([['a']]);
    clock.advance(1);
    await untilReceived(events, 2);
    expect([events, mail]).toEqual([[['a'], ['b', 'c', 'd']], [null]]);
  });

  it('name no accounts where they are more than a message holds', async () => {
    const first = await openWithRole('leader');
    const received = receive(await openWithRole('follower'), 'events');
    const accounts = Array.from({ length: 1_000 }, () => crypto.randomUUID());
    first.processes.publish('events', new Set(accounts));
    await untilReceived(received, 1);
    expect(received).toEqual([null]);
  });

  it('are told what was published while its sender had no connection', async () => {
    const first = await openWithRole('leader');
    const received = receive(first, 'jobs');
    const second = await open();
    second.processes.publish('jobs');
    await untilRole(second, 'follower');
    await untilReceived(received, 1);
    expect(received).toEqual([null]);
  });

  it('catch up when the role changes, and as a follower every few minutes', async () => {
    const first = await openWithRole('leader');
    const second = await open();
    let catchUps = 0;
    second.processes.onCatchUp(() => {
      catchUps += 1;
    });
    await untilRole(second, 'follower');
    expect(catchUps).toBe(1);
    clock.advance(catchUpMs);
    expect(catchUps).toBe(2);
    clock.advance(catchUpStepMs);
    await first[Symbol.asyncDispose]();
    await untilRole(second, 'leader');
    expect(catchUps).toBe(3);
  });

  it('stay alone behind a pooler, which gives each statement another session', async () => {
    const proxy = await startPooler(url);
    ending.defer(() => proxy.close());
    const engine = await open({ at: proxy.url });
    await eventually(
      async () => proxy.connections(),
      (count) => count >= 2,
    );
    const leader = await openWithRole('leader');
    leader.processes.publish('jobs');
    clock.advance(heartbeatMs);
    expect(engine.processes.role).toBe('single');
  });

  /** Ends the connections for messages. */
  async function endSessions({ db }: Engine): Promise<void> {
    await sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()
        and (query like '%pg_try_advisory_lock%' or query like 'listen%')`.execute(db);
  }
});

/** Changes the process id that the server tells its clients, as PgBouncer does. */
async function startPooler(databaseUrl: string) {
  const target = new URL(databaseUrl);
  let connections = 0;
  const sockets = new Set<net.Socket>();
  const server = net.createServer((client) => {
    connections += 1;
    const upstream = net.connect(Number(target.port || 5432), target.hostname);
    for (const socket of [client, upstream]) {
      sockets.add(socket.on('error', () => undefined));
    }
    client.on('close', () => upstream.destroy()).pipe(upstream);
    upstream.on('close', () => client.destroy());
    upstream.on('data', (bytes) => {
      const at = bytes.indexOf(Buffer.from([75, 0, 0, 0, 12]));
      if (at >= 0) bytes.writeInt32BE(1, at + 5);
      client.write(bytes);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = new URL(databaseUrl);
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: url.href,
    connections: () => connections,
    close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}
