import type { ServerName } from '../servers.ts';
import { quantile } from '../statistics.ts';
import { renderVerdict } from '../verdict.ts';
import type { CallerKind } from './admissions.ts';
import type { RejectionTimes } from './rejections.ts';

const costMaxMs = 0.15;
const ratioMin = 0.9;
const ratioMax = 1.1;

export interface AuthenticationFigures {
  readonly server: ServerName;
  readonly admissions: ReadonlyMap<CallerKind, readonly number[]>;
  readonly rejections: RejectionTimes;
}

const ms = (values: readonly number[], q: number): string => quantile(values, q).toFixed(3);

/** A Markdown table of quantiles in milliseconds. */
export function authenticationTable(all: readonly AuthenticationFigures[]): string {
  const row = (what: string, values: readonly number[]): string =>
    `| ${what} | ${values.length} | ${[0.5, 0.95, 0.99].map((q) => ms(values, q)).join(' | ')} |`;
  const rows = all.flatMap(({ server, admissions, rejections }) => [
    ...[...admissions].map(([caller, values]) => row(`${server}: ${caller}`, values)),
    row(`${server}: refusal, unknown key id`, rejections.unknownId),
    row(`${server}: refusal, wrong secret`, rejections.wrongSecret),
  ]);
  return [
    '| | calls | p50, ms | p95, ms | p99, ms |',
    '| --- | --- | --- | --- | --- |',
    ...rows,
  ].join('\n');
}

/** The cost has its bar where the counters are in memory; elsewhere it is for information. */
export function authenticationVerdicts({
  server,
  admissions,
  rejections,
}: AuthenticationFigures): string {
  const costs = [...admissions].map(([caller, values]) => {
    const median = quantile(values, 0.5);
    const says = `${server}: the door, ${caller}, p50`;
    return server === 'embedded'
      ? renderVerdict(median <= costMaxMs, `${says} ≤ ${costMaxMs} ms: ${median.toFixed(3)}`)
      : `for information: ${says}: ${median.toFixed(3)} ms`;
  });
  const ratio = quantile(rejections.unknownId, 0.5) / quantile(rejections.wrongSecret, 0.5);
  const says = `${server}: refusals, unknown key id / wrong secret, ${ratioMin}–${ratioMax}`;
  const held = ratio >= ratioMin && ratio <= ratioMax;
  return [...costs, renderVerdict(held, `${says}: ${ratio.toFixed(3)}`)].join('\n');
}
