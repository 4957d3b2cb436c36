import type { ServerName } from '../servers.ts';
import { quantile } from '../statistics.ts';
import { renderVerdict } from '../verdict.ts';

const rejectionMaxMs = 50;
const steadyFactor = 2;
const steadyFloorMs = 50;

/** Latencies in ms. */
export interface LoadFigures {
  readonly server: ServerName;
  readonly accounts: number;
  readonly minutes: number;
  readonly sent: number;
  /** Not sent, since the account had as many requests in flight as it may. */
  readonly skipped: number;
  /** Refused for too many at the same time, which no account of this load has. */
  readonly rejectedForConcurrency: number;
  readonly expectedSuccesses: number;
  /** One for each account and whole minute. */
  readonly successes: readonly number[];
  readonly rejectedMs: readonly number[];
  /** Without the moments in which the client's own event loop stood still. */
  readonly rejectedWithoutStallsMs: readonly number[];
  readonly steadyIdleMs: readonly number[];
  readonly steadyUnderLoadMs: readonly number[];
  readonly client: ClientFigures;
}

/** What of the figures is the measuring process itself. */
export interface ClientFigures {
  readonly delayP50Ms: number;
  readonly delayP99Ms: number;
  readonly delayMaxMs: number;
  /** Share of one core. */
  readonly cpu: number;
}

const ms = (value: number): string => value.toFixed(1);
const quantilesOf = (values: readonly number[]): string =>
  [0.5, 0.99, 1].map((q) => ms(quantile(values, q))).join(' / ');

/** What was sent and how the bars were met. */
export function loadReport(figures: LoadFigures): string {
  const { server, successes, rejectedMs } = figures;
  const off = successes.filter((count) => count !== figures.expectedSuccesses).length;
  return [
    `${server}: ${figures.accounts} accounts, ${figures.minutes} whole minutes: ` +
      `${figures.sent} sent, ${rejectedMs.length} refused, ${figures.skipped} held back`,
    renderVerdict(
      off === 0 && successes.length > 0 && figures.rejectedForConcurrency === 0,
      `${server}: successes of each key and minute exactly ${figures.expectedSuccesses}: ` +
        `min ${Math.min(...successes)}, max ${Math.max(...successes)}, ` +
        `${off} of ${successes.length} off, ` +
        `${figures.rejectedForConcurrency} refused for concurrency`,
    ),
    ...rejectionLines(figures),
    steadyLine(figures),
  ].join('\n');
}

/** The answers, and how much of their time may have been the client's own. */
function rejectionLines({
  server,
  rejectedMs,
  rejectedWithoutStallsMs,
  client,
}: LoadFigures): string[] {
  const [p99, max] = [quantile(rejectedMs, 0.99), quantile(rejectedMs, 1)];
  const above = rejectedMs.filter((each) => each > rejectionMaxMs).length;
  return [
    renderVerdict(p99 <= rejectionMaxMs, `${server}: 429 p99 ≤ ${rejectionMaxMs} ms: ${ms(p99)}`),
    renderVerdict(
      max <= rejectionMaxMs,
      `${server}: 429 max ≤ ${rejectionMaxMs} ms: ${ms(max)}, ${above} above`,
    ),
    `        429 p50 / p99 / max: ${quantilesOf(rejectedMs)} ms; ` +
      `without the client's own stalls: ${quantilesOf(rejectedWithoutStallsMs)} ms`,
    `        the client's event loop was late by ${ms(client.delayP50Ms)} / ` +
      `${ms(client.delayP99Ms)} / ${ms(client.delayMaxMs)} ms, ` +
      `its CPU ${(client.cpu * 100).toFixed(0)} % of a core`,
  ];
}

function steadyLine({ server, steadyIdleMs, steadyUnderLoadMs }: LoadFigures): string {
  const [idle, meanwhile] = [quantile(steadyIdleMs, 0.95), quantile(steadyUnderLoadMs, 0.95)];
  const bar = Math.max(steadyFactor * idle, steadyFloorMs);
  return renderVerdict(
    meanwhile <= bar,
    `${server}: the enterprise account's p95 meanwhile ≤ max(${steadyFactor} × idle, ` +
      `${steadyFloorMs} ms) = ${ms(bar)} ms: idle ${ms(idle)}, meanwhile ${ms(meanwhile)}`,
  );
}
