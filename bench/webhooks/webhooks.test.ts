import { expect, test } from 'vitest';
import { type WebhookFigures, webhookTable, webhookVerdicts } from './report.ts';

const figures = (given: Partial<WebhookFigures>): WebhookFigures => ({
  server: 'embedded',
  deliveries: 10_000,
  duplicates: 0,
  seconds: 20,
  idleMs: [4],
  busyMs: [30],
  ...given,
});
const held = (given: Partial<WebhookFigures>): boolean[] =>
  webhookVerdicts(figures(given)).map((line) => line.startsWith('held'));

test('webhooks are held by the time for all, by searches meanwhile, and by no repetition', () => {
  expect(held({})).toEqual([true, true, true]);
  expect(held({ seconds: 60 })).toEqual([false, true, true]);
  expect(held({ busyMs: [50] })).toEqual([true, false, true]);
  expect(held({ idleMs: [40], busyMs: [79] })).toEqual([true, true, true]);
  expect(held({ duplicates: 1 })).toEqual([true, true, false]);
});

test('the table has a row for each engine', () => {
  const table = webhookTable([figures({}), figures({ server: 'PostgreSQL' })]);
  expect(table.split('\n')).toHaveLength(4);
  expect(table).toContain('| embedded | 10000 | 20.0 | 500 | 4.0 | 30.0 |');
});
