import pg from 'pg';
import type { Clock } from '../../kernel/clock.ts';
import { Mutex } from '../../kernel/mutex.ts';
import type { EngineLog } from '../engine-log.ts';
import type { JoinOptions, MessageListener, ProcessGroup, ProcessRole } from '../process-group.ts';

const CHANNEL = 'mneme';
const CONNECT_TIMEOUT_MS = 10_000;
const QUERY_TIMEOUT_MS = 10_000;
/** At most so often a process sends a message, with all topics since the last one. */
const PUBLISH_INTERVAL_MS = 100;
/** Of one topic in one message, which PostgreSQL limits to 8,000 bytes; more are sent as any. */
const ACCOUNTS_MAX = 100;
/** Between two signs of life, at which a follower also tries to become the leader. */
const HEARTBEAT_MS = 30_000;
/** Between two polls of a follower without a message. */
const CATCH_UP_MS = 300_000;
/** Between the listeners of a catch-up: one connection of the pool serves all of them. */
const CATCH_UP_STEP_MS = 50;
/** Intervals vary by this share, so that processes that start together do not poll together. */
const JITTER_SHARE = 0.2;
const RECONNECT_MS = { first: 1_000, last: 30_000 };

/**
 * PostgreSQL ends the session, and with it the leadership, of a process that hangs, and of a host
 * that disappears.
 */
const SESSION_SETTINGS = [
  'set idle_session_timeout = 70000',
  'set tcp_keepalives_idle = 10',
  'set tcp_keepalives_interval = 5',
  'set tcp_keepalives_count = 3',
  'set tcp_user_timeout = 30000',
].join(';');

/** Each schema version has a leader: the one of a former version runs no work any more. */
const TRY_TO_LEAD = `select pg_try_advisory_lock(
  hashtext('mneme.leader.' || current_schema()), $1::int) as "isLeader"`;

/** Announces that there is no leader. */
const ELECTION = 'election';
/** Messages were lost: all topics. */
const ANY_TOPIC = '*';

interface Message {
  readonly from: string;
  /** By topic the accounts; null: any. */
  readonly topics: Readonly<Record<string, readonly string[] | null>>;
}

interface ProcessConnectionDeps {
  readonly url: string;
  readonly log: EngineLog;
  /** Returns a number in [0, 1). */
  readonly random: () => number;
  /** The schema version that this process requires. */
  readonly readVersion: () => number | null;
}

/**
 * Messages by LISTEN and NOTIFY, and the leadership as an advisory lock of the session, on one
 * connection of its own. Both need a session: through PgBouncer the role stays `single`.
 */
export class ProcessConnection implements ProcessGroup, AsyncDisposable {
  readonly #deps: ProcessConnectionDeps;
  #id = '';
  readonly #listeners = new Map<string, Set<MessageListener>>();
  readonly #catchUpListeners = new Set<() => void>();
  /** Statements of the connection run one after the other. */
  readonly #mutex = new Mutex();
  readonly #timers = new Map<string, Disposable>();
  #clock: Clock | undefined;
  #client: pg.Client | undefined;
  #connecting: Promise<void> | undefined;
  #role: ProcessRole = 'single';
  #isCandidate = false;
  #isClosed = false;
  #reconnectMs = RECONNECT_MS.first;
  /** Topics of the next message. */
  #pending = new Map<string, Set<string> | null>();
  #lastSentMs = Number.NEGATIVE_INFINITY;
  #hasLostMessages = false;

  constructor(deps: ProcessConnectionDeps) {
    this.#deps = deps;
  }

  get role(): ProcessRole {
    return this.#role;
  }

  join(clock: Clock, { id, isCandidate }: JoinOptions): void {
    if (this.#clock || this.#isClosed) return;
    this.#clock = clock;
    this.#id = id;
    this.#isCandidate = isCandidate;
    this.#connecting = this.#connect();
  }

  publish(topic: string, accountIds?: ReadonlySet<string>): void {
    if (!this.#clock) return;
    if (this.#role === 'single') {
      this.#hasLostMessages = true;
      return;
    }
    const known = this.#pending.get(topic);
    const accounts =
      accountIds && known !== null ? new Set([...(known ?? []), ...accountIds]) : null;
    this.#pending.set(topic, accounts && accounts.size <= ACCOUNTS_MAX ? accounts : null);
    const waitMs = this.#lastSentMs + PUBLISH_INTERVAL_MS - this.#clock.monotonicMs();
    if (waitMs > 0) this.#after('publish', waitMs, () => this.#send());
    else queueMicrotask(() => this.#send());
  }

  subscribe(topic: string, listener: MessageListener): Disposable {
    const listeners = this.#listeners.get(topic) ?? new Set();
    this.#listeners.set(topic, listeners.add(listener));
    return { [Symbol.dispose]: () => void listeners.delete(listener) };
  }

  onCatchUp(listener: () => void): Disposable {
    this.#catchUpListeners.add(listener);
    return { [Symbol.dispose]: () => void this.#catchUpListeners.delete(listener) };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    for (const timer of this.#timers.values()) timer[Symbol.dispose]();
    await this.#connecting;
    const client = this.#client;
    this.#client = undefined;
    if (!client) return;
    if (this.#role === 'leader') {
      // The next leader need not wait for its heartbeat.
      const message = JSON.stringify({ from: this.#id, topics: { [ELECTION]: null } });
      const text = 'select pg_advisory_unlock_all(), pg_notify($1, $2)';
      await this.#query(client, text, [CHANNEL, message]).catch(() => undefined);
    }
    this.#role = 'single';
    await client.end().catch(() => undefined);
  }

  async #connect(): Promise<void> {
    const { url, log } = this.#deps;
    const client = new pg.Client({
      connectionString: url,
      application_name: 'mneme',
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      query_timeout: QUERY_TIMEOUT_MS,
      keepAlive: true,
    });
    client.on('error', (error) => log.debug({ error: error.message }, 'connection lost'));
    client.on('notification', ({ payload }) => this.#receive(payload ?? ''));
    try {
      await client.connect();
      if (!(await isSession(client))) {
        log.info({}, 'a connection pooler is in use: this process polls for work of others');
        await client.end();
        return;
      }
      await client.query(SESSION_SETTINGS);
      await client.query(`listen ${CHANNEL}`);
    } catch (error) {
      log.debug({ err: error }, 'connection for messages between processes failed');
      await client.end().catch(() => undefined);
      this.#reconnectLater();
      return;
    }
    if (this.#isClosed) return void client.end();
    this.#client = client;
    client.on('end', () => this.#onLost(client));
    this.#reconnectMs = RECONNECT_MS.first;
    const isLeader = await this.#tryToLead(client);
    if (this.#client !== client) return;
    this.#setRole(isLeader ? 'leader' : 'follower');
    if (this.#hasLostMessages) this.publish(ANY_TOPIC);
    this.#hasLostMessages = false;
    this.#scheduleHeartbeat();
    this.#scheduleCatchUp();
  }

  /** The server may be gone: nothing waits for the end of the connection. */
  #onLost(client: pg.Client): void {
    if (this.#client !== client) return;
    this.#client = undefined;
    void client.end().catch(() => undefined);
    this.#hasLostMessages ||= this.#pending.size > 0;
    this.#pending.clear();
    if (this.#isClosed) return;
    this.#deps.log.warn({}, 'connection for messages between processes lost');
    this.#setRole('single');
    this.#reconnectLater();
  }

  #reconnectLater(): void {
    if (this.#isClosed) return;
    this.#after('reconnect', this.#vary(this.#reconnectMs), () => {
      this.#connecting = this.#connect();
    });
    this.#reconnectMs = Math.min(this.#reconnectMs * 2, RECONNECT_MS.last);
  }

  #setRole(role: ProcessRole): void {
    if (this.#role === role) return;
    this.#role = role;
    this.#deps.log.debug({ role }, 'role of this process changed');
    for (const listener of this.#catchUpListeners) listener();
  }

  async #tryToLead(client: pg.Client): Promise<boolean> {
    const version = this.#deps.readVersion();
    if (!this.#isCandidate || version === null) return false;
    try {
      const { rows } = await this.#query(client, TRY_TO_LEAD, [version]);
      return rows[0]?.isLeader === true;
    } catch {
      this.#onLost(client);
      return false;
    }
  }

  /** Shows that this process lives, and that the connection does. */
  async #beat(): Promise<void> {
    const client = this.#client;
    if (!client) return;
    if (this.#role === 'follower' && this.#isCandidate) {
      const isLeader = await this.#tryToLead(client);
      if (isLeader && this.#client === client) this.#setRole('leader');
      return;
    }
    await this.#query(client, 'select 1').catch(() => this.#onLost(client));
  }

  #scheduleHeartbeat(): void {
    this.#after('heartbeat', this.#vary(HEARTBEAT_MS), () => {
      if (!this.#client) return;
      void this.#beat();
      this.#scheduleHeartbeat();
    });
  }

  #scheduleCatchUp(): void {
    this.#after('catchUp', this.#vary(CATCH_UP_MS), () => {
      if (!this.#client) return;
      this.#scheduleCatchUp();
      if (this.#role === 'follower') this.#catchUp([...this.#catchUpListeners]);
    });
  }

  #catchUp([listener, ...others]: readonly (() => void)[]): void {
    if (!listener || this.#isClosed) return;
    if (this.#catchUpListeners.has(listener)) listener();
    this.#after('catchUpStep', CATCH_UP_STEP_MS, () => this.#catchUp(others));
  }

  #send(): void {
    const client = this.#client;
    if (!client || !this.#clock || this.#pending.size === 0) return;
    const topics = Object.fromEntries(
      [...this.#pending].map(([topic, accounts]) => [topic, accounts && [...accounts]]),
    );
    this.#pending.clear();
    this.#lastSentMs = this.#clock.monotonicMs();
    const message = JSON.stringify({ from: this.#id, topics } satisfies Message);
    this.#query(client, 'select pg_notify($1, $2)', [CHANNEL, message]).catch(() =>
      this.#onLost(client),
    );
  }

  #receive(payload: string): void {
    const { from, topics } = JSON.parse(payload) as Message;
    if (from === this.#id) return;
    for (const [topic, accountIds] of Object.entries(topics)) {
      if (topic === ELECTION) void this.#beat();
      const listeners =
        topic === ANY_TOPIC ? this.#listeners.values() : [this.#listeners.get(topic) ?? []];
      for (const group of listeners) {
        for (const listener of group) listener(accountIds && new Set(accountIds));
      }
    }
  }

  #query(client: pg.Client, text: string, values: unknown[] = []): Promise<pg.QueryResult> {
    return this.#mutex.run(() => client.query(text, values));
  }

  #vary(ms: number): number {
    return ms * (1 + JITTER_SHARE * (2 * this.#deps.random() - 1));
  }

  /** Replaces the timer of that name. */
  #after(name: string, ms: number, call: () => void): void {
    this.#timers.get(name)?.[Symbol.dispose]();
    const timer = this.#clock?.after(ms, call);
    if (timer) this.#timers.set(name, timer);
  }
}

/** False through a pooler, which invents the process ids that it tells its clients. */
async function isSession(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query('select pg_backend_pid() as pid');
  return rows[0]?.pid === (client as { processID?: number | null }).processID;
}
