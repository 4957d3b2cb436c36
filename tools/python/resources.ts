/** The modules mneme/resources/<area>.py: the methods of both clients. */

import { renderMethods } from './methods.ts';
import { toPascal } from './names.ts';
import type { PythonArea } from './operations.ts';
import { type Client, clients } from './signature.ts';
import { docstring, generatedNotice, importLine } from './text.ts';
import type { TypeRegistry } from './types.ts';

/** Text by path below mneme/. */
export function renderResources(
  areas: readonly PythonArea[],
  registry: TypeRegistry,
): Record<string, string> {
  return {
    ...Object.fromEntries(
      areas.map((area) => [`resources/${area.name}.py`, renderModule(area, registry)]),
    ),
    'resources/__init__.py': renderIndex(areas),
  };
}

const classOf = (area: PythonArea, { prefix }: Client): string =>
  `${prefix}${toPascal(area.name)}Resource`;

function renderModule(area: PythonArea, registry: TypeRegistry): string {
  const classes = clients.flatMap((client) => renderClass(area, client));
  // Docstrings mention names without using them.
  const text = classes.join('\n').replaceAll(/""".*?"""/gs, '');
  const uses = (name: string): boolean => new RegExp(`\\b${name}\\b`).test(text);
  const used = (names: readonly string[]): string[] => names.filter(uses);
  const { operations } = area;
  const constants = used(operations.map(({ constant }) => constant));
  const abc = ['Sequence', 'Mapping', 'Iterator', 'AsyncIterator'];
  return [
    ...generatedNotice(`Methods: ${area.name}.`),
    ...importLine('collections.abc', used(abc)),
    ...(uses('datetime') ? ['from datetime import datetime'] : []),
    ...importLine('typing', used(['Any', 'Literal'])),
    '',
    ...importLine('.._async', ['AsyncTransport']),
    ...importLine('.._body', used(['FileContent', 'body_of'])),
    ...importLine('.._download', used(['AsyncDownload', 'Download'])),
    ...importLine('.._follow', used(followNames)),
    ...importLine('.._json', used(['json_body', 'metadata_query'])),
    ...importLine('.._not_given', used(['NOT_GIVEN', 'NotGiven'])),
    ...importLine('.._operations', constants),
    ...importLine('.._paginate', used(['AsyncPages'])),
    ...importLine('.._sync', ['SyncTransport']),
    ...importLine('.._transport', used(['OptionalTimeout'])),
    ...importLine('.._upload', used(uploadNames)),
    ...importLine('..models', used([...registry.models.keys()])),
    ...importLine('..types', used([...registry.dictionaries.keys(), ...registry.literals.keys()])),
    ...classes,
    '',
  ].join('\n');
}

const followNames = [
  'FollowedEvent',
  'OnCursor',
  'follow_events',
  'follow_events_async',
  'stream_events',
  'stream_events_async',
];
const uploadNames = [
  'PART_BYTES_DEFAULT',
  'CompletedUpload',
  'PartsUpload',
  'Progress',
  'form_arguments',
  'upload_in_parts',
  'upload_in_parts_async',
];

function renderClass(area: PythonArea, client: Client): string[] {
  return [
    '',
    '',
    `class ${classOf(area, client)}:`,
    ...docstring([area.description], '    '),
    '',
    `    def __init__(self, transport: ${client.transport}) -> None:`,
    '        self._transport = transport',
    ...area.operations.flatMap((operation) => renderMethods(operation, client)),
  ];
}

function renderIndex(areas: readonly PythonArea[]): string {
  const names = areas.map((area) => clients.map((client) => classOf(area, client)));
  return [
    ...generatedNotice('The areas of both clients.'),
    ...importLine('.._async', ['AsyncTransport']),
    ...importLine('.._sync', ['SyncTransport']),
    ...areas
      .toSorted((one, other) => (one.name < other.name ? -1 : 1))
      .flatMap((area) => importLine(`.${area.name}`, names[areas.indexOf(area)] ?? [])),
    ...clients.flatMap((client) => [
      '',
      '',
      `class ${client.prefix}Resources:`,
      `    def __init__(self, transport: ${client.transport}) -> None:`,
      ...areas.flatMap((area) => [
        `        self.${area.name} = ${classOf(area, client)}(transport)`,
      ]),
    ]),
    '',
  ].join('\n');
}
