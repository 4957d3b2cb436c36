/** Writes docs/events.md from the contract; with --check only says whether it is up to date. */
import { readFileSync } from 'node:fs';
import {
  type EventType,
  eventSamples,
  eventTypes,
  limits,
  payloadWrapperKey,
} from '@mneme/contract';
import { writeOrCheck } from './generated-document.ts';

const template = new URL('./events.template.md', import.meta.url);

const types = Object.keys(eventTypes) as EventType[];

const renderRow = ([type, description]: readonly [string, string]): string =>
  `| \`${type}\` | ${description} |`;

const renderSection = (type: EventType): string =>
  [
    `### ${type}`,
    eventTypes[type],
    `\`\`\`json\n${JSON.stringify(eventSamples[type], null, 2)}\n\`\`\``,
  ].join('\n\n');

const wrapped = {
  ...eventSamples['memory.deleted'],
  webhook_id: '019b8d1c-3a48-7c01-8d23-4e5f60718293',
  data: { [payloadWrapperKey('memory.deleted')]: eventSamples['memory.deleted'].data },
};

const placeholders: Readonly<Record<string, string>> = {
  types: Object.entries(eventTypes).map(renderRow).join('\n'),
  wrapped: JSON.stringify(wrapped, null, 2),
  streams: String(limits.eventStreamsMax),
  examples: types.map(renderSection).join('\n\n'),
};

/** The page as it is committed. */
export const eventsText = (): string =>
  readFileSync(template, 'utf8').replace(
    /<(\w+)>/g,
    (gap, name: string) => placeholders[name] ?? gap,
  );

if (import.meta.main) {
  const [path, command] = ['docs/events.md', 'npm run events'];
  process.exitCode = writeOrCheck({ path, command, text: eventsText() }, process.argv);
}
