import { ratios, spread } from '../statistics.ts';
import { renderVerdict } from '../verdict.ts';

/** What a server is asked for. */
export const phases = ['search', 'read', 'add'] as const;
export type Phase = (typeof phases)[number];

/** CPU milliseconds of a request in each slice, in the same order for all variants. */
export type PhaseCosts = Readonly<Record<Phase, readonly number[]>>;

const metricsRatioMax = 1.05;

const medianRatio = (costs: PhaseCosts, off: PhaseCosts, phase: Phase): number =>
  spread(ratios(costs[phase], off[phase])).median;

/** A Markdown table: CPU of a request, and the median of the ratios to the variant `off`. */
export function renderCosts(byVariant: ReadonlyMap<string, PhaseCosts>, off: PhaseCosts): string {
  const rows = [...byVariant].map(([name, costs]) => {
    const cells = phases.flatMap((phase) => {
      const { median } = spread(costs[phase]);
      return [median.toFixed(2), medianRatio(costs, off, phase).toFixed(3)];
    });
    return `| ${[name, ...cells].join(' | ')} |`;
  });
  const head = phases.flatMap((phase) => [`${phase}, ms of CPU`, '× off']);
  return [`| | ${head.join(' | ')} |`, `|${' --- |'.repeat(head.length + 1)}`, ...rows].join('\n');
}

/** The bar is for metrics; traces have none. */
export const metricsVerdicts = (metrics: PhaseCosts, off: PhaseCosts): string[] =>
  phases.map((phase) => {
    const ratio = medianRatio(metrics, off, phase);
    const description = `${phase} with metrics ≤ ${metricsRatioMax} × off: ${ratio.toFixed(3)}`;
    return renderVerdict(ratio <= metricsRatioMax, description);
  });
