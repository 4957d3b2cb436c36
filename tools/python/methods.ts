/** The methods of an operation, for either client. */
import type { Route } from '@mneme/contract';
import { eventMethods } from './event-methods.ts';
import type { Argument, PythonOperation } from './operations.ts';
import {
  argsSection,
  byPlace,
  type Client,
  callOptions,
  descriptionsOf,
  dictionary,
  jsonBody,
  type Method,
  pairs,
  parameterOf,
  renderMethod,
} from './signature.ts';
import { bracketed } from './text.ts';
import { uploadMethods } from './upload-methods.ts';

export function renderMethods(operation: PythonOperation, client: Client): string[] {
  if (operation.route.eventStream) return eventMethods(operation, client).flatMap(renderMethod);
  const methods = [callMethod(operation, client)];
  if (operation.form) methods.push(...uploadMethods(operation, operation.form, client));
  return methods.flatMap(renderMethod);
}

function callMethod(operation: PythonOperation, client: Client): Method {
  const { route, arguments: list } = operation;
  const inPath = byPlace(list, 'path');
  const named = requiredFirst([
    ...byPlace(list, 'body'),
    ...byPlace(list, 'query'),
    ...byPlace(list, 'header'),
  ]);
  const isPaged = operation.page !== null && client.prefix === 'Async';
  return {
    define: isPaged ? 'def' : client.define,
    name: operation.method,
    positional: [...inPath.map(parameterOf), ...contentParameter(route)],
    named: [
      ...named.map(parameterOf),
      ...(operation.filtersMetadata ? ['metadata: Mapping[str, str] | None = None'] : []),
      ...callOptions,
    ],
    result: resultOf(operation, client),
    paragraphs: documentation(operation, [...inPath, ...named]),
    body: callBody(operation, client, isPaged),
  };
}

const requiredFirst = (list: readonly Argument[]): Argument[] => [
  ...list.filter(({ isRequired }) => isRequired),
  ...list.filter(({ isRequired }) => !isRequired),
];

const contentParameter = ({ requestType, bodyOptional }: Route): string[] => {
  if (!requestType) return [];
  return [bodyOptional ? 'content: FileContent | None = None' : 'content: FileContent'];
};

function resultOf({ route, page, result }: PythonOperation, { prefix }: Client): string {
  if (route.responseType !== undefined) return `${prefix}Download`;
  if (page && prefix === 'Async') return `AsyncPages[${page.page.text}, ${page.record.text}]`;
  return result.text;
}

function documentation(operation: PythonOperation, list: readonly Argument[]) {
  const metadata = ['metadata', 'Only memories whose metadata has these values.'] as const;
  const described = [...descriptionsOf(list), ...(operation.filtersMetadata ? [metadata] : [])];
  return [
    operation.summary,
    ...(operation.description ? [operation.description] : []),
    ...(described.length > 0 ? [argsSection(described)] : []),
  ];
}

function callBody(operation: PythonOperation, client: Client, isPaged: boolean): string[] {
  const { route, arguments: list, filtersMetadata } = operation;
  const verb = isPaged ? 'pages' : route.responseType === undefined ? 'call' : 'download';
  const head = `return ${isPaged ? '' : client.await}self._transport.${verb}(`;
  const query = pairs(byPlace(list, 'query'));
  const items = [
    operation.constant,
    ...dictionaryItem('path', pairs(byPlace(list, 'path'))),
    ...dictionaryItem('query', filtersMetadata ? [...query, '**metadata_query(metadata)'] : query),
    ...dictionaryItem('headers', pairs(byPlace(list, 'header'))),
    ...bodyItem(operation),
    'extra_headers=extra_headers',
    'timeout=timeout',
  ];
  return bracketed(head, items, ')', '        ');
}

const dictionaryItem = (name: string, items: readonly string[]): string[] =>
  items.length > 0 ? [dictionary(`${name}=`, items)] : [];

function bodyItem({ route, arguments: list }: PythonOperation): string[] {
  if (route.requestType) {
    return [
      route.bodyOptional
        ? 'content=None if content is None else body_of(content)'
        : 'content=body_of(content)',
    ];
  }
  if (!route.body) return [];
  return [`body=${jsonBody(byPlace(list, 'body'))}${route.bodyOptional ? ' or None' : ''}`];
}
