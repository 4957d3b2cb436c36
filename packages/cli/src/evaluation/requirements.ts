import { InvalidArgumentError } from 'commander';
import { type MetricName, type Metrics, requirableMetrics } from './summary.ts';

/** The minimum of a metric, for a pipeline that must fail below it. */
export interface Requirement {
  readonly metric: MetricName;
  readonly minimum: number;
}

/** Parses `recall@5=0.8`; a repeated option adds to the list. */
export function parseRequirement(
  text: string,
  previous: readonly Requirement[] = [],
): Requirement[] {
  const [name = '', value = ''] = text.split('=', 2);
  const metric = requirableMetrics.find((one) => one === name.trim().toLowerCase());
  const minimum = Number(value);
  if (metric === undefined) {
    throw new InvalidArgumentError(`The metrics are ${requirableMetrics.join(', ')}.`);
  }
  if (!/^[\d.]+$/.test(value) || !(minimum >= 0 && minimum <= 1)) {
    throw new InvalidArgumentError(`Must be a metric and a minimum, such as ${metric}=0.8.`);
  }
  return [...previous, { metric, minimum }];
}

/** One line per requirement that is not met. */
export const listUnmet = (metrics: Metrics, requirements: readonly Requirement[]): string[] =>
  requirements.flatMap(({ metric, minimum }) => {
    const value = metrics[metric];
    if (value !== null && value >= minimum) return [];
    return [`${metric} is ${value === null ? 'unknown' : value.toFixed(3)}, below ${minimum}`];
  });
