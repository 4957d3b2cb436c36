import type { ServerName } from '../servers.ts';
import { quantile } from '../statistics.ts';
import { renderVerdict } from '../verdict.ts';

const secondsMax = 60;
const searchFloorMs = 50;

export interface WebhookFigures {
  readonly server: ServerName;
  readonly deliveries: number;
  /** More than once: at least once is promised, and without kills once is what is done. */
  readonly duplicates: number;
  /** From when they are switched on. */
  readonly seconds: number;
  readonly idleMs: readonly number[];
  readonly busyMs: readonly number[];
}

/** A Markdown table. */
export function webhookTable(all: readonly WebhookFigures[]): string {
  const rows = all.map(({ server, deliveries, seconds, idleMs, busyMs }) => {
    const rate = (deliveries / seconds).toFixed(0);
    const p95 = [idleMs, busyMs].map((millis) => quantile(millis, 0.95).toFixed(1));
    return `| ${[server, deliveries, seconds.toFixed(1), rate, ...p95].join(' | ')} |`;
  });
  return [
    '| | deliveries | seconds | per second | search p95 idle, ms | meanwhile, ms |',
    '| --- | --- | --- | --- | --- | --- |',
    ...rows,
  ].join('\n');
}

export function webhookVerdicts(figures: WebhookFigures): string[] {
  const { server, seconds, duplicates, idleMs, busyMs } = figures;
  const [idle, busy] = [quantile(idleMs, 0.95), quantile(busyMs, 0.95)];
  const max = Math.max(2 * idle, searchFloorMs);
  return [
    renderVerdict(seconds < secondsMax, `${server}, all < ${secondsMax} s: ${seconds.toFixed(1)}`),
    renderVerdict(
      busy < max,
      `${server}, search p95 meanwhile < ${max.toFixed(0)} ms: ${busy.toFixed(1)}`,
    ),
    renderVerdict(duplicates === 0, `${server}, none is sent twice: ${duplicates}`),
  ];
}
