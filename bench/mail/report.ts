import { quantile } from '../statistics.ts';
import { renderVerdict } from '../verdict.ts';

const perSecondMin = 50;
const raisedMbMax = 120;

export interface MailFigures {
  readonly server: string;
  readonly mails: number;
  readonly seconds: number;
  /** From the first word of a mail to its 250. */
  readonly acceptedMs: readonly number[];
  /** Until all that was accepted is done. */
  readonly processedSeconds: number;
  /** By four mails of 25 MB at once. */
  readonly memoryRiseMb: number;
}

/** A Markdown table. */
export function mailTable(all: readonly MailFigures[]): string {
  const rows = all.map(({ server, mails, seconds, acceptedMs, processedSeconds, memoryRiseMb }) => {
    const rate = (mails / seconds).toFixed(0);
    const p95 = quantile(acceptedMs, 0.95).toFixed(0);
    const cells = [server, mails, rate, p95, processedSeconds.toFixed(0), memoryRiseMb.toFixed(0)];
    return `| ${cells.join(' | ')} |`;
  });
  return [
    '| | mails | accepted per second | p95, ms | all done after, s | 4 × 25 MB raise RSS by, MB |',
    '| --- | --- | --- | --- | --- | --- |',
    ...rows,
  ].join('\n');
}

export function mailVerdicts({ server, mails, seconds, memoryRiseMb }: MailFigures): string[] {
  const rate = mails / seconds;
  return [
    renderVerdict(
      rate >= perSecondMin,
      `${server}, ≥ ${perSecondMin} mails a second: ${rate.toFixed(0)}`,
    ),
    renderVerdict(
      memoryRiseMb < raisedMbMax,
      `${server}, 4 × 25 MB raise RSS by < ${raisedMbMax} MB: ${memoryRiseMb.toFixed(0)}`,
    ),
  ];
}
