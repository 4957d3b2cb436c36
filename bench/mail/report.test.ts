import { expect, test } from 'vitest';
import { type MailFigures, mailTable, mailVerdicts } from './report.ts';

const figures = (given: Partial<MailFigures>): MailFigures => ({
  server: 'embedded',
  mails: 1_000,
  seconds: 10,
  acceptedMs: [12],
  processedSeconds: 20,
  memoryRiseMb: 50,
  ...given,
});
const held = (given: Partial<MailFigures>): boolean[] =>
  mailVerdicts(figures(given)).map((line) => line.startsWith('held'));

test('mail is held by how many are accepted a second, and by the memory of large ones', () => {
  expect(held({})).toEqual([true, true]);
  expect(held({ seconds: 20 })).toEqual([true, true]);
  expect(held({ seconds: 20.1 })).toEqual([false, true]);
  expect(held({ memoryRiseMb: 120 })).toEqual([true, false]);
});

test('the table has a row for each engine', () => {
  expect(mailTable([figures({})])).toContain('| embedded | 1000 | 100 | 12 | 20 | 50 |');
});
