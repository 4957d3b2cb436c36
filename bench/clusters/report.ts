import type { ServerName } from '../servers.ts';
import { quantile } from '../statistics.ts';
import { renderVerdict } from '../verdict.ts';
import type { TopicFigures, TopicSet } from './topics.ts';

const searchFloorMs = 50;
const randMin = 0.6;
const usualLimits = { memories: 20_000, seconds: 60 };
/** Of more a sample is clustered. */
const secondsMax = 900;
const peakMbMax = 1_500;
/** 50,000 points are answered within a second; a map has at most 100,000. */
const mapPointsPerMs = 50;
const mapPointsMax = 100_000;

export interface ClusterRunFigures {
  readonly server: ServerName;
  readonly memories: number;
  /** From the request to the end of the run. */
  readonly seconds: number;
  readonly peakMb: number;
  readonly clusters: number;
  readonly noise: number;
  readonly idleMs: readonly number[];
  readonly busyMs: readonly number[];
  /** GET /clusters/map after the run. */
  readonly mapMs: readonly number[];
}

const percent = (share: number): string => `${(100 * share).toFixed(0)} %`;

/** A Markdown table, and whether all of the texts hold the bar. */
export function topicTable(set: TopicSet, parts: Readonly<Record<string, TopicFigures>>): string {
  const rows = Object.entries(parts).map(
    ([name, { texts, clusters, noise, rand, nearestCentroid }]) => {
      const cells = [name, texts, clusters, percent(noise), rand.toFixed(2)];
      const { rand: best, right } = nearestCentroid;
      return `| ${[...cells, `${best.toFixed(2)} (${percent(right)})`].join(' | ')} |`;
    },
  );
  const rand = parts.all?.rand ?? 0;
  return [
    `| ${set} texts | texts | clusters | noise | adjusted Rand index | by one told the topics |`,
    '| --- | --- | --- | --- | --- | --- |',
    ...rows,
    '',
    renderVerdict(rand >= randMin, `${set}: adjusted Rand index ≥ ${randMin}: ${rand.toFixed(2)}`),
  ].join('\n');
}

/** A line for each topic: the cluster that most of its texts are in. */
export const topicLines = ({ topics }: TopicFigures): string =>
  topics
    .map(({ topic, label, share }) => `${topic}: ${label ?? 'noise'} (${percent(share)})`)
    .join('\n');

/** A Markdown table. */
export function clusterRunTable(all: readonly ClusterRunFigures[]): string {
  const rows = all.map((figures) => {
    const { server, memories, seconds, peakMb, clusters, noise } = figures;
    const p95 = [figures.idleMs, figures.busyMs].map((ms) => quantile(ms, 0.95).toFixed(1));
    const cells = [server, memories, seconds.toFixed(1), peakMb.toFixed(0), clusters];
    const map = quantile(figures.mapMs, 0.5).toFixed(0);
    return `| ${[...cells, percent(noise), ...p95, map].join(' | ')} |`;
  });
  const head =
    'memories,seconds,peak RSS in MB,clusters,noise,search p95 idle in ms,meanwhile,map in ms';
  const names = head.split(',');
  return [`| | ${names.join(' | ')} |`, `|${' --- |'.repeat(names.length + 1)}`, ...rows].join(
    '\n',
  );
}

export function clusterRunVerdicts(figures: ClusterRunFigures): string[] {
  const { server, memories, seconds, peakMb, idleMs, busyMs } = figures;
  const isUsual = memories <= usualLimits.memories;
  const most = isUsual ? usualLimits.seconds : secondsMax;
  const [idle, busy] = [quantile(idleMs, 0.95), quantile(busyMs, 0.95)];
  const map = quantile(figures.mapMs, 0.5);
  const mapMax = Math.min(memories, mapPointsMax) / mapPointsPerMs;
  const searchMax = Math.max(2 * idle, searchFloorMs);
  const says = (what: string): string => `${server}, ${memories} memories: ${what}`;
  return [
    renderVerdict(seconds < most, says(`a run < ${most} s: ${seconds.toFixed(1)}`)),
    ...(isUsual
      ? [renderVerdict(peakMb < peakMbMax, says(`RSS < ${peakMbMax} MB: ${peakMb.toFixed(0)}`))]
      : []),
    renderVerdict(
      busy < searchMax,
      says(`search p95 meanwhile < ${searchMax.toFixed(0)} ms: ${busy.toFixed(1)}`),
    ),
    renderVerdict(map < mapMax, says(`map < ${mapMax.toFixed(0)} ms: ${map.toFixed(0)}`)),
  ];
}
