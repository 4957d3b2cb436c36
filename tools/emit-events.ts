/** Writes docs/events.md from the contract; with --check only says whether it is up to date. */
import { readFileSync, writeFileSync } from 'node:fs';
import {
  awaitedEventTypes,
  type EventType,
  eventSamples,
  eventTypes,
  limits,
  wrapperOf,
} from '@mneme/contract';
import { firstDifference } from './emit-openapi.ts';

const place = new URL('../docs/events.md', import.meta.url);
const template = new URL('./events.template.md', import.meta.url);

const types = Object.keys(eventTypes) as EventType[];

const rowOf = ([type, description]: readonly [string, string]): string =>
  `| \`${type}\` | ${description} |`;

const sectionOf = (type: EventType): string =>
  [
    `### ${type}`,
    eventTypes[type],
    `\`\`\`json\n${JSON.stringify(eventSamples[type], null, 2)}\n\`\`\``,
  ].join('\n\n');

const wrapped = {
  ...eventSamples['memory.deleted'],
  webhook_id: '019b8d1c-3a48-7c01-8d23-4e5f60718293',
  data: { [wrapperOf('memory.deleted')]: eventSamples['memory.deleted'].data },
};

/** The page as it is committed. */
export const eventsText = (): string =>
  readFileSync(template, 'utf8')
    .replace('<types>', Object.entries(eventTypes).map(rowOf).join('\n'))
    .replace('<awaited>', Object.entries(awaitedEventTypes).map(rowOf).join('\n'))
    .replace('<wrapped>', JSON.stringify(wrapped, null, 2))
    .replace('<streams>', String(limits.eventStreamsMax))
    .replace('<examples>', types.map(sectionOf).join('\n\n'));

function main(check: boolean): number {
  const fresh = eventsText();
  if (!check) {
    writeFileSync(place, fresh);
    return 0;
  }
  const difference = firstDifference(readFileSync(place, 'utf8'), fresh);
  if (difference === null) return 0;
  console.error(`docs/events.md is stale from line ${difference.line} on: run npm run events`);
  return 1;
}

if (import.meta.main) process.exitCode = main(process.argv.includes('--check'));
