import { readFileSync } from 'node:fs';
import { eventTypes } from '@mneme/contract';
import { expect, it } from 'vitest';
import { eventsText } from './emit-events.ts';

const committed = readFileSync(new URL('../docs/events.md', import.meta.url), 'utf8');

it('docs/events.md is what the contract says: run npm run events', () => {
  expect(committed).toBe(eventsText());
});

it('docs/events.md has an example of each event type, and no gap left to fill', () => {
  const headings = [...committed.matchAll(/^### (.+)$/gm)].map(([, type]) => type);
  expect(headings).toEqual(Object.keys(eventTypes));
  expect(committed).not.toMatch(/<(?:types|awaited|wrapped|streams|examples)>/);
});
