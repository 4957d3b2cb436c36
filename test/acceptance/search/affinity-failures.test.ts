import diagnostics from 'node:diagnostics_channel';
import type { ServerResponse } from 'node:http';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  forwardedSearchPath,
  forwardedSearchType,
  signatureHeader,
} from '../../../packages/server/src/domains/search-index/index.ts';
import {
  createNonce,
  digestOf,
  encodeOutcome,
  type ForwardedOutcome,
  signResponse,
  signSearch,
} from '../../../packages/server/src/domains/search-index/testing.ts';
import { deriveKey } from '../../../packages/server/src/kernel/encryption.ts';
import { eventually } from '../../support/eventually.ts';
import { createFakeClock } from '../../support/fake-clock.ts';
import { findFreePort } from '../../support/free-port.ts';
import {
  type CapturedRequest,
  type PeerEndpoint,
  readMetric,
  startPeerEndpoint,
  waitForPeers,
} from '../../support/peer-processes.ts';
import { engines, type Service, startService } from '../../support/service.ts';
import { createMemory } from '../memories/memory-requests.ts';

/** Several processes need PostgreSQL; without it, the tests are defined and do not run. */
const onServer = engines.includes('PostgreSQL');

/** The client of Node has got the head of a response. */
const responseChannel = 'http.client.response.finish';

type Account = Awaited<ReturnType<Service['createAccount']>>;

const content = 'The heron waits at the pond.';

/** One request of the index; a search by words makes one for each kind of document. */
const find = async (service: Service, { key }: Account): Promise<string[]> => {
  const { memories } = await service.client(key).search.topic({ query: { topic: 'pond' } });
  return memories.map((memory) => memory.content);
};

/** An account with a memory, whose searches on `service` are forwarded to the endpoint. */
async function createAccountOf(service: Service, endpoint: PeerEndpoint): Promise<Account> {
  for (let i = 0; i < 40; i += 1) {
    const account = await service.createAccount();
    await createMemory(account.client, content, { tags: ['pond'] });
    const before = endpoint.requests.length;
    await find(service, account);
    if (endpoint.requests.length > before) return account;
  }
  throw new Error('no account prefers the endpoint');
}

const forwarded = (service: Service, outcome: string) =>
  readMetric(service, 'mneme_forwarded_searches_total', { outcome });
const executed = (service: Service, outcome: string) =>
  readMetric(service, 'mneme_searches_for_peers_total', { outcome });
const keyOf = ({ running }: Service) =>
  deriveKey(running.context.app.secretKey, 'forwarded search');

describe.runIf(onServer).each(['PostgreSQL'] as const)('a forwarded search on %s', (engine) => {
  const cleanup = new AsyncDisposableStack();
  const clock = createFakeClock();
  let caller: Service;
  let target: Service;
  let endpoint: PeerEndpoint;
  let account: Account;
  let captured: CapturedRequest;

  beforeAll(async () => {
    const start = async (env: Record<string, string>) => {
      const service = await startService(engine, { env, overrides: { clock } });
      cleanup.defer(() => service.stop());
      return service;
    };
    const port = String(await findFreePort());
    caller = await start({ MNEME_PORT: port, MNEME_PEER_URL: `http://127.0.0.1:${port}` });
    endpoint = cleanup.use(
      await startPeerEndpoint(async ({ url, headers, body }, _request, response) => {
        const passed = await send(target.url, { url, headers, body });
        response.writeHead(passed.status).end(passed.body);
      }),
    );
    target = await start({
      MNEME_DATABASE_URL: caller.config.databaseUrl ?? '',
      MNEME_SECRET_KEY: caller.running.context.app.secretKey,
      MNEME_PEER_URL: endpoint.url,
    });
    await waitForPeers(clock, [caller, target], 2);
    account = await createAccountOf(caller, endpoint);
    captured = endpoint.requests.at(-1) as CapturedRequest;
  });
  afterAll(() => cleanup.disposeAsync());

  async function send(url: string, { headers, body }: CapturedRequest) {
    const names = ['content-type', signatureHeader];
    const sent = names.map((name) => [name, String(headers[name] ?? '')] as [string, string]);
    const response = await fetch(`${url}${forwardedSearchPath}`, {
      method: 'POST',
      headers: sent,
      body: new Uint8Array(body),
    });
    return { status: response.status, body: Buffer.from(await response.arrayBuffer()) };
  }

  it('has no key or token of the caller', async () => {
    const { token } = await account.client.auth.createToken({ body: { user_id: 'ana' } });
    const before = endpoint.requests.length;
    await caller.client(token).search.post({ body: { q: 'heron' } });
    const sent = [captured, ...endpoint.requests.slice(before)];
    expect(sent.length).toBeGreaterThan(1);
    for (const { url, headers, body } of sent) {
      expect(url).toBe(forwardedSearchPath);
      expect(Object.keys(headers).toSorted()).toEqual([
        'connection',
        'content-length',
        'content-type',
        'host',
        signatureHeader,
      ]);
      const text = `${JSON.stringify(headers)} ${body.toString('latin1')}`;
      for (const secret of [account.key, token, caller.adminKey]) {
        expect(text).not.toContain(secret);
      }
    }
  });

  it('is refused when it is sent again, to the same process or to another', async () => {
    const before = await executed(target, 'answered');
    expect((await send(target.url, captured)).status).toBe(404);
    expect((await send(caller.url, captured)).status).toBe(404);
    expect(await executed(target, 'answered')).toBe(before);
  });

  it('is refused without a signature that is valid now for its body and its process', async () => {
    const { body, headers } = captured;
    const [id = '', accountId = ''] = String(headers[signatureHeader]).split('.');
    const sign = (key: Uint8Array, changes: { ageMs?: number; target?: string } = {}) =>
      signSearch(key, {
        target: changes.target ?? id,
        accountId,
        issuedMs: Math.round(Date.now() - (changes.ageMs ?? 0)),
        nonce: createNonce((count) => crypto.getRandomValues(new Uint8Array(count))),
        digest: digestOf(body),
      });
    const statusOf = async (signature: string, changed = body) => {
      const signed = { 'content-type': forwardedSearchType, [signatureHeader]: signature };
      return (await send(target.url, { url: '', headers: signed, body: changed })).status;
    };
    // The heartbeat of now: the clock of the test may be ahead of that of the database.
    await waitForPeers(clock, [caller, target], 2);
    const before = await executed(target, 'rejected');
    const key = keyOf(target);
    expect(await statusOf(sign(key, { ageMs: 90_000 }))).toBe(404);
    expect(await statusOf(sign(key, { ageMs: -90_000 }))).toBe(404);
    expect(await statusOf(sign(key, { target: crypto.randomUUID() }))).toBe(404);
    expect(await statusOf(sign(deriveKey('another secret', 'forwarded search')))).toBe(404);
    const tampered = Buffer.from(body);
    tampered[tampered.length - 1] = (tampered.at(-1) ?? 0) ^ 1;
    expect(await statusOf(sign(key), tampered)).toBe(404);
    expect(await statusOf(sign(key), Buffer.alloc(0))).toBe(404);
    expect(await executed(target, 'rejected')).toBe(before + 6);
    expect(await statusOf(sign(key))).toBe(200);
  });

  it('is not executed for another account than the one that was signed', async () => {
    const other = await caller.createAccount();
    const { body, headers } = captured;
    const [id = ''] = String(headers[signatureHeader]).split('.');
    const signature = signSearch(keyOf(target), {
      target: id,
      accountId: other.id,
      issuedMs: Date.now(),
      nonce: createNonce((count) => crypto.getRandomValues(new Uint8Array(count))),
      digest: digestOf(body),
    });
    const before = await executed(target, 'failed');
    const signed = { 'content-type': forwardedSearchType, [signatureHeader]: signature };
    const response = await send(target.url, { url: '', headers: signed, body });
    expect(response.body.toString('latin1')).not.toContain('ids');
    expect(await executed(target, 'failed')).toBe(before + 1);
  });
});

describe.runIf(onServer).each(['PostgreSQL'] as const)('a search on %s', (engine) => {
  const cleanup = new AsyncDisposableStack();
  const clock = createFakeClock();
  let service: Service;
  let endpoint: PeerEndpoint;
  let account: Account;
  type Respond = (response: ServerResponse, nonce: string) => void;
  const refuse: Respond = (response) => response.writeHead(503).end();
  let respond = refuse;
  let closed = 0;

  beforeAll(async () => {
    const port = String(await findFreePort());
    const env = { MNEME_PORT: port, MNEME_PEER_URL: `http://127.0.0.1:${port}` };
    service = await startService(engine, { env, overrides: { clock } });
    cleanup.defer(() => service.stop());
    endpoint = cleanup.use(
      await startPeerEndpoint(({ headers }, _request, response) => {
        response.once('close', () => {
          if (!response.writableFinished) closed += 1;
        });
        respond(response, String(headers[signatureHeader]).split('.')[3] ?? '');
      }),
    );
    const { db } = service.running.context.app.engine;
    // It never renews its heartbeat.
    const insertPeer = sql`
      insert into live_processes (id, url, release, started_at, heartbeat_at)
      select gen_random_uuid(), ${endpoint.url}, release, now(), now() + interval '1 hour'
      from live_processes returning id`;
    // The first heartbeat of the service may not have ended.
    await eventually(
      async () => (await insertPeer.execute(db)).rows.length,
      (count) => count === 1,
    );
    await waitForPeers(clock, [service], 2);
    account = await createAccountOf(service, endpoint);
  });
  afterAll(() => cleanup.disposeAsync());
  afterEach(() => {
    respond = refuse;
    // The end of the time in which a peer is avoided.
    clock.advance(5_000);
  });

  const answer =
    (outcome: ForwardedOutcome, key = keyOf(service)): Respond =>
    (response, nonce) => {
      const payload = encodeOutcome(outcome);
      const frame = [Uint8Array.of(0, 0, 1), signResponse(key, nonce, payload), payload];
      response.writeHead(200).end(Buffer.concat(frame));
    };
  const empty: ForwardedOutcome = {
    status: 'answered',
    answer: { total: 0, ids: [] },
  };
  /** Runs a search, and advances the clock once `count` has increased. */
  const findAfter = async (ms: number, count: () => number): Promise<string[]> => {
    const before = count();
    const search = find(service, account);
    await eventually(
      async () => count(),
      (now) => now > before,
    );
    clock.advance(ms);
    return search;
  };

  it('is answered by a peer that signs its response', async () => {
    respond = answer(empty);
    expect(await find(service, account)).toEqual([]);
  });

  const failures: Readonly<Record<string, Respond>> = {
    'closes the connection': (response) => response.destroy(),
    'responds with an error': (response) => response.writeHead(500).end(),
    'knows nothing of the path': (response) => response.writeHead(404).end(),
    redirects: (response) => response.writeHead(307, { location: service.url }).end(),
    'sends something else': (response) => response.writeHead(200).end('{"hits":[]}'),
    'sends nothing': (response) => response.writeHead(200).end(),
    'ends before its outcome': (response) => response.writeHead(200).end(Uint8Array.of(0, 0)),
    'signs by another key': (...args) => answer(empty, deriveKey('another secret', 'x'))(...args),
    'signs another request': (response) => answer(empty)(response, 'AAAAAAAAAAAAAAAAAAAAAA'),
  };
  it.each(Object.keys(failures))(
    'runs here if the peer %s, which is then avoided for 5 s',
    async (name) => {
      respond = failures[name] as Respond;
      const failed = await forwarded(service, 'failed');
      const before = endpoint.requests.length;
      for (let i = 0; i < 3; i += 1) expect(await find(service, account)).toEqual([content]);
      expect(endpoint.requests.length).toBe(before + 1);
      expect(await forwarded(service, 'failed')).toBe(failed + 1);
      clock.advance(5_000);
      respond = answer(empty);
      expect(await find(service, account)).toEqual([]);
    },
  );

  it('runs here if the peer does not respond within a second', async () => {
    respond = () => undefined;
    expect(await findAfter(1_000, () => endpoint.requests.length)).toEqual([content]);
    expect(await find(service, account)).toEqual([content]);
  });

  it('runs here if the peer stops while it responds', async () => {
    respond = answer(empty);
    await find(service, account);
    respond = (response) => response.writeHead(200).write(Uint8Array.of(0));
    let arrived = 0;
    const count = () => {
      arrived += 1;
    };
    diagnostics.subscribe(responseChannel, count);
    try {
      expect(await findAfter(3_000, () => arrived)).toEqual([content]);
    } finally {
      diagnostics.unsubscribe(responseChannel, count);
    }
    const avoided = service.logLines.filter((line) => line.includes('search peer avoided'));
    expect(avoided.at(-1)).toContain('the response has stopped');
  });

  it('runs here if the peer is at capacity or stops, which is not avoided', async () => {
    const refused = await forwarded(service, 'refused');
    for (let i = 0; i < 3; i += 1) expect(await find(service, account)).toEqual([content]);
    expect(await forwarded(service, 'refused')).toBe(refused + 3);
  });

  it('runs here if it fails there, which says nothing about other searches', async () => {
    respond = answer({ status: 'failed' });
    const before = endpoint.requests.length;
    for (let i = 0; i < 3; i += 1) expect(await find(service, account)).toEqual([content]);
    expect(endpoint.requests.length).toBe(before + 3);
  });

  it('is planned again if the peer says that the account has changed its model', async () => {
    const { model } = service.running.context.app.embedder;
    const page: ForwardedOutcome = {
      status: 'answered',
      answer: { total: 0, hits: [], filler: [] },
    };
    const changed: ForwardedOutcome = { status: 'model_changed', model };
    // The first plan asks for memories and for segments.
    const outcomes = [changed, changed, page, page];
    respond = (...args) => answer(outcomes.shift() ?? { status: 'failed' })(...args);
    const search = service.client(account.key).search.post({ body: { q: 'heron' } });
    expect((await search).results).toEqual([]);
    expect(outcomes).toEqual([]);
  });

  it('is aborted there when its client disconnects', async () => {
    respond = () => undefined;
    const aborted = await forwarded(service, 'aborted');
    const before = [endpoint.requests.length, closed];
    const client = new AbortController();
    const headers = { authorization: `Bearer ${account.key}` };
    const search = fetch(`${service.url}/v1/search?q=heron`, { headers, signal: client.signal });
    const failure = expect(search).rejects.toThrow('aborted');
    await eventually(
      async () => endpoint.requests.length,
      (count) => count === (before[0] ?? 0) + 2,
    );
    client.abort();
    await failure;
    await eventually(
      async () => [closed, await forwarded(service, 'aborted')],
      (counts) => counts[0] === (before[1] ?? 0) + 2 && counts[1] === aborted + 2,
    );
    expect(service.logLines.filter((line) => line.includes('"request failed"'))).toEqual([]);
  });

  it('is reported in the log once for a peer that is avoided, and when it returns', async () => {
    respond = answer(empty);
    await find(service, account);
    const count = (message: string) =>
      service.logLines.filter((line) => line.includes(`"msg":"${message}"`)).length;
    const before = [count('search peer avoided'), count('search peer returned')];
    respond = failures['responds with an error'] as Respond;
    for (let i = 0; i < 3; i += 1) {
      await find(service, account);
      clock.advance(5_000);
    }
    respond = answer(empty);
    for (let i = 0; i < 3; i += 1) await find(service, account);
    const [avoided = 0, returned = 0] = before;
    expect([count('search peer avoided'), count('search peer returned')]).toEqual([
      avoided + 1,
      returned + 1,
    ]);
  });
});
