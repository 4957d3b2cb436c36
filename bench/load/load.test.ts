import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, test } from 'vitest';
import { createTextGenerator, readVocabulary } from '../text-generator.ts';
import { runAtFixedRate } from './fixed-rate.ts';
import { InFlightCalls } from './in-flight-calls.ts';
import { KeepAliveClient } from './keep-alive-client.ts';
import { type AccountCallRecord, countSuccesses, fullMinutes, nextFullMinute } from './minutes.ts';
import { type LoadFigures, loadReport } from './report.ts';
import { requestAt, requestKindAt } from './request-mix.ts';
import { detectStall, stalledMs } from './stalls.ts';

describe('the pace', () => {
  /** A clock that stands still but for waiting, and for what sending takes. */
  function handTime(sendMs: (n: number) => number = () => 0) {
    const sentAt: number[] = [];
    let now = 1_000;
    const time = {
      nowMs: () => now,
      wait: async (ms: number) => {
        now += ms;
      },
    };
    const send = (n: number): void => {
      sentAt.push(now);
      now += sendMs(n);
    };
    return { sentAt, time, send };
  }
  const { signal } = new AbortController();

  test('is even, from its beginning to before its end', async () => {
    const { sentAt, time, send } = handTime();
    await runAtFixedRate({ perSecond: 4, fromMs: 2_000, untilMs: 3_000, signal }, send, time);
    expect(sentAt).toEqual([2_000, 2_250, 2_500, 2_750]);
  });

  test('is kept after a delay: what is late goes at once', async () => {
    const { sentAt, time, send } = handTime((n) => (n === 0 ? 600 : 0));
    await runAtFixedRate({ perSecond: 4, fromMs: 2_000, untilMs: 3_000, signal }, send, time);
    expect(sentAt).toEqual([2_000, 2_600, 2_600, 2_750]);
  });

  test('ends with the first fault of a call', async () => {
    const abort = new AbortController();
    const flight = new InFlightCalls(abort);
    const { sentAt, time, send } = handTime();
    const run = runAtFixedRate(
      { perSecond: 4, fromMs: 0, untilMs: 1e9, signal: abort.signal },
      (n) => {
        send(n);
        if (n === 2) flight.add(Promise.reject(new Error('no answer')));
      },
      time,
    );
    await expect(run).rejects.toThrow('no answer');
    await expect(flight.waitForAll()).rejects.toThrow('no answer');
    expect(sentAt.length).toBeLessThan(10_000);
  });
});

describe('the minutes', () => {
  test('are those of the clock that lie wholly in the run', () => {
    expect(fullMinutes(59_000, 181_000)).toEqual([120, 180]);
    expect(fullMinutes(60_000, 120_000)).toEqual([120]);
    expect(fullMinutes(60_001, 179_999)).toEqual([]);
    expect(nextFullMinute(60_000, 0)).toBe(60_000);
    expect(nextFullMinute(60_000, 1)).toBe(120_000);
  });

  test('count successes alone, by the window that the answer names', () => {
    const answer = (account: number, status: number, resetSeconds: number): AccountCallRecord => ({
      account,
      status,
      resetSeconds,
      limit: 60,
      sentMs: 0,
      latencyMs: 1,
    });
    const answers = [
      answer(0, 200, 120),
      answer(0, 201, 120),
      answer(0, 429, 120),
      answer(1, 200, 180),
      answer(1, 200, 60),
    ];
    expect(countSuccesses([120, 180], 2, answers)).toEqual([2, 0, 0, 1]);
  });
});

describe('the mix', () => {
  test('stays below the limits of single routes, so that the minute alone refuses', () => {
    const perMinute = (kind: string): number =>
      Array.from({ length: 180 }, (_, n) => requestKindAt(n)).filter((each) => each === kind)
        .length;
    expect([perMinute('read'), perMinute('search'), perMinute('create')]).toEqual([108, 36, 36]);
  });

  test('asks for what the account has', async () => {
    const texts = createTextGenerator(await readVocabulary(), 1);
    const stock = { ids: ['a', 'b'], texts: ['One two three four five six seven eight.'] };
    for (let n = 0; n < 10; n += 1) {
      const { method, path } = requestAt(n, stock, texts);
      const expected = {
        read: /^GET \/memories\/[ab]$/,
        search: /^GET \/search\?q=\w+\+\w+/,
        create: /^POST \/memories$/,
      };
      expect(`${method} ${path}`).toMatch(expected[requestKindAt(n)]);
    }
  });
});

describe('stalls of the client', () => {
  test('are ticks that came late', () => {
    expect(detectStall(102.2, 100)).toBeNull();
    expect(detectStall(150, 100)).toEqual({ fromMs: 102, toMs: 150 });
  });

  test('take from a call what of it they cover', () => {
    const stalls = [
      { fromMs: 10, toMs: 20 },
      { fromMs: 30, toMs: 35 },
      { fromMs: 50, toMs: 90 },
    ];
    expect(stalledMs(stalls, 0, 5)).toBe(0);
    expect(stalledMs(stalls, 15, 40)).toBe(10);
    expect(stalledMs(stalls, 20, 30)).toBe(0);
    expect(stalledMs(stalls, 60, 70)).toBe(10);
    expect(stalledMs(stalls, 95, 99)).toBe(0);
  });
});

describe('the report', () => {
  const figures: LoadFigures = {
    server: 'embedded',
    accounts: 2,
    minutes: 1,
    sent: 500,
    skipped: 0,
    rejectedForConcurrency: 0,
    expectedSuccesses: 60,
    successes: [60, 60],
    rejectedMs: [1, 2, 50],
    rejectedWithoutStallsMs: [1, 2, 3],
    steadyIdleMs: [10, 10],
    steadyUnderLoadMs: [50, 50],
    client: { delayP50Ms: 0.1, delayP99Ms: 2, delayMaxMs: 47, cpu: 0.25 },
  };
  const missed = (given: Partial<LoadFigures>): string[] =>
    loadReport({ ...figures, ...given })
      .split('\n')
      .filter((line) => line.startsWith('MISSED'));

  test('says MISSED for each bar that was missed, and for no other', () => {
    expect(missed({})).toEqual([]);
    expect(missed({ successes: [60, 61] })).toHaveLength(1);
    expect(missed({ successes: [59, 60] })[0]).toContain('min 59, max 60, 1 of 2 off');
    expect(missed({ rejectedForConcurrency: 1 })).toHaveLength(1);
    expect(missed({ rejectedMs: [...Array<number>(1_000).fill(1), 51] })).toHaveLength(1);
    expect(missed({ rejectedMs: [51, 51] })).toHaveLength(2);
    expect(missed({ steadyUnderLoadMs: [51] })).toHaveLength(1);
    expect(missed({ steadyUnderLoadMs: [51], steadyIdleMs: [30] })).toEqual([]);
    expect(missed({ steadyUnderLoadMs: [61], steadyIdleMs: [30] })).toHaveLength(1);
  });

  test('a run without a whole minute holds nothing', () => {
    expect(missed({ successes: [] })).toHaveLength(1);
  });

  test("tells the client's own share", () => {
    const text = loadReport(figures);
    expect(text).toContain("without the client's own stalls: 2.0 / 3.0 / 3.0 ms");
    expect(text).toContain('late by 0.1 / 2.0 / 47.0 ms, its CPU 25 % of a core');
  });
});

test('a line hears any answer, sends what it was given, and knows when it is full', async () => {
  const seen: unknown[] = [];
  const held: http.ServerResponse[] = [];
  const server = http.createServer((request, response) => {
    const { authorization } = request.headers;
    seen.push([request.method, request.url, authorization]);
    held.push(response);
    request.resume();
    if (held.length === 2) {
      for (const each of held) each.writeHead(429, { 'x-ratelimit-limit': '60' }).end('{}');
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  using line = new KeepAliveClient(
    `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    'k',
    2,
  );
  const calls = [
    line.send({ method: 'GET', path: '/x' }),
    line.send({ method: 'POST', path: '/x', body: {} }),
  ];
  expect(line.isFull).toBe(true);
  const [heard] = await Promise.all(calls);
  expect(heard).toMatchObject({ status: 429, limit: 60, resetSeconds: null });
  expect(line.isFull).toBe(false);
  expect(seen).toContainEqual(['GET', '/v1/x', 'Bearer k']);
  expect(seen).toContainEqual(['POST', '/v1/x', 'Bearer k']);
  server.close();
});
