import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { metricsText } from './emit-metrics.ts';

it('docs/metrics.md is what the server measures: run npm run metrics', () => {
  const committed = readFileSync(new URL('../docs/metrics.md', import.meta.url), 'utf8');
  expect(committed).toBe(metricsText());
});
