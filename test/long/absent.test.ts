import fs from 'node:fs';
import { type Client, createClient } from '@mneme/sdk';
import { describe, expect, it } from 'vitest';
import { startDatabaseProxy } from '../support/database-proxy.ts';
import { eventually } from '../support/eventually.ts';
import { createDataLocation, startServerProcess } from '../support/server-process.ts';
import { engines } from '../support/service.ts';

/** A file of tests must hold one: without a server they are there and do not run. */
const onServer = engines.includes('PostgreSQL');

const goneMs = 30_000;
/** A connection is waited for 10 s, a server that has taken a statement 35 s. */
const patienceMs = 45_000;
const recoveryMs = 15_000;
const clients = 200;
const mb = 2 ** 20;

function rss(pid: number): number {
  const status = fs.existsSync(`/proc/${pid}/status`)
    ? fs.readFileSync(`/proc/${pid}/status`, 'utf8')
    : '';
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? 0) * 1_024;
}

interface Tally {
  readonly statuses: Map<number, number>;
  longestMs: number;
}

async function askUntil(client: Client, until: number, tally: Tally): Promise<void> {
  while (performance.now() < until) {
    const begun = performance.now();
    const content = `Note ${begun} ${'of some length '.repeat(200)}`;
    const { status } = await client.request({
      method: 'POST',
      path: '/memories',
      body: { content },
    });
    tally.statuses.set(status, (tally.statuses.get(status) ?? 0) + 1);
    tally.longestMs = Math.max(tally.longestMs, performance.now() - begun);
  }
}

describe.runIf(onServer).each(['PostgreSQL'] as const)('half a minute without %s', (engine) => {
  it.each([
    ['refused', 'cut', false],
    ['taken in silence', 'silent', false],
    ['left hanging in the middle of statements', 'silent', true],
  ] as const)(
    'costs %s requests no more than their patience, and the process no memory',
    async (_, mode, keep) => {
      const place = await createDataLocation(engine);
      await using proxy = await startDatabaseProxy(place.databaseUrl ?? '');
      await using server = await startServerProcess(
        { ...place, databaseUrl: proxy.url },
        { env: { MNEME_REQUESTS_MAX: '100', MNEME_LOG_LEVEL: 'warn' } },
      );
      const { url, adminKey: apiKey } = server;
      const client = createClient({ url, apiKey, retries: 0, timeoutMs: 2 * patienceMs });
      const well: Tally = { statuses: new Map(), longestMs: 0 };
      await askUntil(client, performance.now() + 3_000, well);
      const before = rss(server.pid);

      const gone: Tally = { statuses: new Map(), longestMs: 0 };
      const until = performance.now() + goneMs;
      const asking = Array.from({ length: clients }, () => askUntil(client, until, gone));
      proxy.setMode(mode, { keep });
      await Promise.all(asking);
      const report = {
        statuses: Object.fromEntries(gone.statuses),
        longestMs: Math.round(gone.longestMs),
        grownMb: Math.round((rss(server.pid) - before) / mb),
      };
      process.stdout.write(`without ${engine}, ${mode}: ${JSON.stringify(report)}\n`);
      expect(
        [...gone.statuses.keys()].filter((status) => ![201, 500, 503].includes(status)),
      ).toEqual([]);
      expect(report.longestMs).toBeLessThan(patienceMs);
      expect(report.grownMb).toBeLessThan(200);

      proxy.setMode('open');
      const { status } = await eventually(
        () => client.request({ method: 'POST', path: '/memories', body: { content: 'Back.' } }),
        (answer) => answer.status === 201,
        recoveryMs,
      );
      expect(status).toBe(201);
      await server.kill('SIGTERM');
      await place.remove();
    },
    180_000,
  );
});
