/** The methods that iterate over events: `stream` and `follow`. */
import type { PythonOperation } from './operations.ts';
import {
  argsSection,
  bodyLines,
  byPlace,
  type Client,
  descriptionsOf,
  dictionary,
  type Method,
  pairs,
  parameterOf,
} from './signature.ts';

const cursor = ['cursor', 'The cursor to continue after; default: only new events.'] as const;
const lastEventId = ['last_event_id', 'The same, as the header Last-Event-ID.'] as const;

const onCursor = [
  'on_cursor',
  'Called with each position of the stream after the events up to it were handled: at the start ' +
    'and in silences, too, when no event has one. A later `follow` continues after it.',
] as const;

export function eventMethods(operation: PythonOperation, client: Client): Method[] {
  const filters = byPlace(operation.arguments, 'query').filter(({ name }) => name !== 'cursor');
  const positions = ['cursor: str | None = None', 'last_event_id: str | None = None'];
  const query = bodyLines(dictionary('query = ', pairs(filters)));
  const described = [...descriptionsOf(filters), cursor];
  const result = `${client.prefix}Iterator[FollowedEvent]`;
  const shared = { define: 'def', positional: [], result } as const;
  const call = (name: string, position: string): string =>
    `        return ${name}${client.suffix}(self._transport, query, ${position})`;
  return [
    {
      ...shared,
      name: operation.method,
      named: [...filters.map(parameterOf), ...positions],
      paragraphs: [
        operation.summary,
        'The events of one connection, until the service ends it; `follow` reconnects',
        argsSection([...described, lastEventId]),
      ],
      body: [...query, call('stream_events', 'last_event_id or cursor')],
    },
    {
      ...shared,
      name: 'follow',
      named: [
        ...filters.map(parameterOf),
        ...positions.slice(0, 1),
        'on_cursor: OnCursor | None = None',
      ],
      paragraphs: [
        'Iterate over new events, each once and in order of commit; reconnects as often as needed',
        'Raises errors that a retry cannot fix (400, 401, 403), and, before the first ' +
          'successful connection, the error of the last attempt',
        argsSection([...described, onCursor]),
      ],
      body: [...query, call('follow_events', 'cursor, on_cursor')],
    },
  ];
}
