/**
 * The statements that idle processes send to PostgreSQL. `npm run bench:idle` starts one server and
 * then four on one database, waits until the work of their starts has ended, and counts.
 */
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { createDataLocation } from '../data-location.ts';
import { startServer } from '../servers.ts';
import { renderVerdict } from '../verdict.ts';
import { type StatementProxy, startStatementProxy } from './statement-proxy.ts';

const print = (text: string): void => void process.stdout.write(`${text}\n`);
const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '180' },
    settle: { type: 'string', default: '30' },
    processes: { type: 'string', default: '1,4' },
    texts: { type: 'string', default: '15' },
    'database-url': { type: 'string', default: process.env.MNEME_TEST_DATABASE_URL ?? '' },
  },
});
const seconds = Number(values.seconds);
const extrapolatedTo = 100;
const statementsPerSecondMax = 20;
const textColumns = 110;

/** Statements a second of each process, by their text. */
type Rates = readonly ReadonlyMap<string, number>[];

const toRates = (proxies: readonly StatementProxy[]): Rates =>
  proxies.map(({ counts }) => new Map([...counts].map(([text, count]) => [text, count / seconds])));

const sumOf = (rates: ReadonlyMap<string, number>): number =>
  [...rates.values()].reduce((sum, rate) => sum + rate, 0);

/** Starts so many servers on a new database and counts their statements. */
async function measure(processes: number): Promise<Rates> {
  await using stack = new AsyncDisposableStack();
  const database = stack.use(await createDataLocation(values['database-url']));
  const secretKey = randomBytes(32).toString('hex');
  const proxies: StatementProxy[] = [];
  for (let i = 0; i < processes; i += 1) {
    const dataDir = await mkdtemp(path.join(os.tmpdir(), 'mneme-bench-'));
    stack.defer(() => rm(dataDir, { recursive: true, force: true }));
    await writeFile(path.join(dataDir, 'secret-key'), `${secretKey}\n`, { mode: 0o600 });
    const proxy = stack.use(await startStatementProxy(database.databaseUrl ?? ''));
    const server = await startServer(
      { dataDir, databaseUrl: proxy.url },
      { MNEME_EMBEDDING_PROVIDER: 'static' },
    );
    stack.defer(() => server.stop());
    proxies.push(proxy);
  }
  await wait(Number(values.settle) * 1_000);
  for (const proxy of proxies) proxy.reset();
  await wait(seconds * 1_000);
  return toRates(proxies);
}

function printTexts(rates: Rates): void {
  const texts = new Map<string, number>();
  for (const own of rates) {
    for (const [text, rate] of own) texts.set(text, (texts.get(text) ?? 0) + rate);
  }
  const sorted = [...texts].toSorted(([, one], [, other]) => other - one);
  print('| statements/s | text |\n| --- | --- |');
  for (const [text, rate] of sorted.slice(0, Number(values.texts))) {
    print(`| ${rate.toFixed(2)} | \`${text.slice(0, textColumns).replaceAll('|', '\\|')}\` |`);
  }
  const others = sorted.slice(Number(values.texts)).reduce((sum, [, rate]) => sum + rate, 0);
  if (others > 0) print(`| ${others.toFixed(2)} | all others |`);
}

for (const processes of values.processes.split(',').map(Number)) {
  const rates = await measure(processes);
  const sums = rates.map(sumOf).toSorted((a, b) => b - a);
  const all = sums.reduce((sum, rate) => sum + rate, 0);
  const each = sums.map((rate) => rate.toFixed(2)).join(', ');
  print(`\n## ${processes} idle processes: ${all.toFixed(2)} statements/s (${each})\n`);
  printTexts(rates);
  if (processes === 1) continue;
  // The elected process sends more than the others, which are alike.
  const [first = 0, ...others] = sums;
  const mean = others.reduce((sum, rate) => sum + rate, 0) / others.length;
  const extrapolated = first + (extrapolatedTo - 1) * mean;
  const text = `${extrapolatedTo} idle processes: ${extrapolated.toFixed(1)} statements/s`;
  print(`\n${renderVerdict(extrapolated <= statementsPerSecondMax, text)}`);
}
