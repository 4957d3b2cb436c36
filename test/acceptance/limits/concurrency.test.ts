import type { Client, RawResponse } from '@mneme/sdk';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { createFakeClock } from '../../support/fake-clock.ts';
import { openRawConnection, type RawHttpConnection } from '../../support/raw-http.ts';
import { engines, type Service, startService } from '../../support/service.ts';
import { GatedEmbedder } from '../memories/controlled-dependencies.ts';
import {
  advanceToNextMinute,
  createKeyFor,
  getRequest,
  postRequest,
  readLimitHeaders,
  responseStatuses,
  runConcurrently,
} from './usage-and-windows.ts';

const plain = getRequest('/spaces');
const refusal = { status: 429, body: { error: { code: 'concurrent_limit_exceeded' } } };

let made = 0;
const fresh = () => {
  made += 1;
  return postRequest('/memories', { content: `Note ${made} of the day.` });
};

describe.each(engines)('requests at the same time on %s', (engine) => {
  let service: Service;
  let embedder: GatedEmbedder;
  const clock = createFakeClock();

  beforeAll(async () => {
    embedder = await GatedEmbedder.open();
    service = await startService(engine, { overrides: { clock, embedder } });
  });
  afterEach(() => embedder.openGate());
  afterAll(() => service.stop());

  const inside = (count: number) =>
    eventually(
      async () => embedder.waitingCount,
      (now) => now === count,
    );

  /** Creates that wait inside: just as many as may be there. */
  async function fill(client: Client, places: number): Promise<Promise<RawResponse>[]> {
    const running = Array.from({ length: places }, () => client.request(fresh()));
    await inside(places);
    return running;
  }

  /** Whether the key has all its places: that many at once, and none refused. */
  async function hasAll(client: Client, places: number): Promise<boolean> {
    const answers = await runConcurrently(places, places, () => client.request(fresh()));
    return answers.every(({ status }) => status === 201);
  }

  it.each([
    ['free', 5],
    ['pro', 20],
    ['max', 50],
  ] as const)('%s: %i run, one more is refused, and then all may come again', async (...row) => {
    const [plan, limit] = row;
    const { client } = await service.createAccount(plan);
    advanceToNextMinute(clock);
    embedder.closeGate();
    const all = Array.from({ length: limit + 1 }, () => client.request(fresh()));
    const refused = await Promise.race(all);
    await inside(limit);
    expect(refused).toMatchObject(refusal);
    const retry = Number(refused.headers.get('retry-after'));
    const { error } = refused.body as { error: object };
    expect(retry).toBeGreaterThanOrEqual(1);
    const five = { limit, remaining: 0, retry_after: retry, window: 0 };
    expect(error).toMatchObject({ ...five, details: five });
    expect(readLimitHeaders(refused)).toMatchObject({ limit, remaining: 0 });
    embedder.openGate();
    const answers = await Promise.all(all);
    expect(responseStatuses(answers)).toEqual([...Array<number>(limit).fill(201), 429]);
    advanceToNextMinute(clock);
    expect(await hasAll(client, limit)).toBe(true);
  });

  it('who is refused so has used nothing of the minute', async () => {
    const { client } = await service.createAccount('free');
    advanceToNextMinute(clock);
    embedder.closeGate();
    const running = await fill(client, 5);
    const refused = await runConcurrently(10, 1, () => client.request(fresh()));
    for (const answer of refused) expect(answer).toMatchObject(refusal);
    embedder.openGate();
    await Promise.all(running);
    expect(readLimitHeaders(await client.request(plain))).toMatchObject({
      limit: 60,
      remaining: 54,
    });
  });

  it('are counted for each key alone', async () => {
    const { id, client } = await service.createAccount('free');
    const other = await createKeyFor(service, id);
    embedder.closeGate();
    const running = await fill(client, 5);
    expect(await client.request(plain)).toMatchObject(refusal);
    expect((await other.client.request(plain)).status).toBe(200);
    embedder.openGate();
    await Promise.all(running);
  });

  it('five clients that wait for each answer are never too many', async () => {
    const { client } = await service.createAccount('free');
    advanceToNextMinute(clock);
    const answers = await Promise.all(
      Array.from({ length: 5 }, () =>
        runConcurrently(12, 1, (i) => client.request(i % 3 === 0 ? fresh() : plain)),
      ),
    );
    expect(new Set(responseStatuses(answers.flat()))).toEqual(new Set([200, 201]));
  });

  it('are over when the answer is there, however slow the database is', async () => {
    const { client } = await service.createAccount('free');
    const { db } = service.running.context.app.engine;
    await sql`create function lag() returns trigger language plpgsql as
      $$ begin perform pg_sleep(0.05); return old; end $$`.execute(db);
    await sql`create trigger lag before delete on concurrency_slots
      for each row execute function lag()`.execute(db);
    advanceToNextMinute(clock);
    const requests = [
      plain,
      postRequest('/memories', 'no json'),
      postRequest('/memories', {}),
    ] as const;
    const answers = await Promise.all(
      Array.from({ length: 5 }, () =>
        runConcurrently(6, 1, (i) => client.request(requests[i % 3] ?? plain)),
      ),
    );
    expect(new Set(responseStatuses(answers.flat()))).toEqual(new Set([200, 400, 422]));
    await sql`drop function lag() cascade`.execute(db);
  });

  it('are without limit on enterprise', async () => {
    const { client } = await service.createAccount('enterprise');
    embedder.closeGate();
    const running = await fill(client, 60);
    expect((await client.request(plain)).status).toBe(200);
    embedder.openGate();
    expect(new Set(responseStatuses(await Promise.all(running)))).toEqual(new Set([201]));
  });

  it.each([
    ['whose body is no JSON', postRequest('/memories', '{"content": '), 400],
    [
      'of the wrong type',
      { ...postRequest('/memories', 'x'), headers: { 'content-type': 'a/b' } },
      415,
    ],
    ['whose body is too large', postRequest('/memories', ' '.repeat(9_000_000)), 413],
    ['whose fields are faulty', postRequest('/memories', { content: 7 }), 422],
  ])('give their place back: requests %s', async (_what, request, status) => {
    const { client } = await service.createAccount('pro');
    advanceToNextMinute(clock);
    const count = status === 413 ? 8 : 40;
    const answers = await runConcurrently(count, 20, () => client.request(request));
    expect(responseStatuses(answers)).toEqual(Array<number>(count).fill(status));
    expect(await hasAll(client, 20)).toBe(true);
  });

  it('give their place back: requests without the right', async () => {
    const { id } = await service.createAccount('free');
    const { client } = await createKeyFor(service, id, ['email:read']);
    advanceToNextMinute(clock);
    const answers = await runConcurrently(20, 5, () => client.request(plain));
    expect(new Set(responseStatuses(answers))).toEqual(new Set([403]));
  });

  const head = (key: string): string =>
    'POST /v1/memories HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n' +
    `Authorization: Bearer ${key}\r\nContent-Length: 100\r\n\r\n`;

  it('give their place back: requests cut off in the middle of the body', async () => {
    const { key, client } = await service.createAccount('free');
    advanceToNextMinute(clock);
    const cut: RawHttpConnection[] = [];
    for (let i = 0; i < 6; i += 1) cut.push(await openRawConnection(service.url));
    for (const wire of cut) wire.send(`${head(key)}{"content":`);
    // One of them is told that the others are inside.
    const { status, text } = await Promise.any(cut.map((wire) => wire.readResponse()));
    expect({ status, body: JSON.parse(text) }).toMatchObject(refusal);
    expect(await client.request(plain)).toMatchObject(refusal);
    for (const wire of cut) wire[Symbol.dispose]();
    await eventually(
      () => client.request(plain),
      ({ status }) => status === 200,
    );
    advanceToNextMinute(clock);
    expect(await eventually(() => hasAll(client, 5), Boolean)).toBe(true);
  });

  it('give their place back: requests cut off before they were let in', async () => {
    const { key, client } = await service.createAccount('free');
    advanceToNextMinute(clock);
    const ended: Promise<string>[] = [];
    await service.running.context.app.engine.transaction(async (tx) => {
      await sql`lock table api_keys in access exclusive mode`.execute(tx);
      for (let i = 0; i < 5; i += 1) {
        using wire = await openRawConnection(service.url);
        wire.send(`${head(key)}{"content":`);
        ended.push(wire.ended);
      }
      await Promise.all(ended);
      // Answered after the server has seen all of that.
      await service.client().request(getRequest('/openapi.json'));
    });
    expect(await eventually(() => hasAll(client, 5), Boolean)).toBe(true);
  });

  it('keep their place when the client hangs up, as long as the work goes on', async () => {
    const { client } = await service.createAccount('free');
    advanceToNextMinute(clock);
    embedder.closeGate();
    const leaving = new AbortController();
    const running = Array.from({ length: 5 }, () =>
      client.request({ ...fresh(), signal: leaving.signal }),
    );
    await inside(5);
    leaving.abort();
    await Promise.allSettled(running);
    expect(await client.request(plain)).toMatchObject(refusal);
    embedder.openGate();
    await eventually(
      () => client.request(plain),
      ({ status }) => status === 200,
    );
    advanceToNextMinute(clock);
    expect(await eventually(() => hasAll(client, 5), Boolean)).toBe(true);
  });

  it('keep the memory of their large body when the client hangs up, as long', async () => {
    const { client } = await service.createAccount();
    const zeros = Array(9_999).fill(0);
    // Faulty items of so much that an account may have one such body at a time.
    const faulty = { content: 'a', tags: Array(95).fill(zeros) };
    const long = Array(4).fill({ content: 'x'.repeat(7_500_000) });
    const memories = [{ content: 'Tea.' }, faulty, ...long];
    const large = { ...postRequest('/memories/bulk', { memories }) };
    embedder.closeGate();
    const leaving = new AbortController();
    const running = client.request({ ...large, signal: leaving.signal });
    await inside(1);
    leaving.abort();
    await expect(running).rejects.toThrow();
    // Answered after the server has seen that.
    await client.request(plain);
    expect(await client.request(large)).toMatchObject({ status: 503 });
    embedder.openGate();
    await eventually(
      () => client.request(large),
      ({ status }) => status === 201,
    );
  });
});
