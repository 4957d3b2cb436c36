/** The module mneme/_operations.py: the operations as data. */
import type { PythonArea, PythonOperation } from './operations.ts';
import { bracketed, generatedNotice, quote } from './text.ts';
import type { PythonType } from './types.ts';

export function renderOperationTable(areas: readonly PythonArea[]): string {
  const all = areas.flatMap(({ operations }) => operations);
  return [
    ...generatedNotice('The operations of the API.'),
    'from typing import Any',
    '',
    'from . import models',
    'from ._operation import Operation',
    '',
    ...all.flatMap(renderOperation),
    '#: By operation id.',
    'OPERATIONS: dict[str, Operation[Any]] = {',
    ...all.map(({ id, constant }) => `    "${id}": ${constant},`),
    '}',
    '',
  ].join('\n');
}

function renderOperation(operation: PythonOperation): string[] {
  const { route, constant, responses } = operation;
  const statuses = responses.map(
    ([status, type]) => `${status}: ${type ? inModels(type) : 'None'}`,
  );
  const items = [
    quote(operation.id),
    quote(route.method),
    quote(operation.path),
    `{${statuses.join(', ')}}`,
    ...(route.method === 'GET' || route.access.endsWith(':read') ? ['reads=True'] : []),
    ...(route.idempotent ? ['idempotent=True'] : []),
    ...(headersOf(operation) ?? []),
    ...(route.formats ? ['has_text=True'] : []),
    ...(route.responseType === undefined ? [] : ['is_binary=True']),
  ];
  return bracketed(`${constant}: Operation[${typeOf(operation)}] = Operation(`, items, ')', '');
}

const typeOf = ({ route, result }: PythonOperation): string =>
  route.responseType === undefined ? inModels(result) : 'Any';

function headersOf({ route }: PythonOperation): string[] | null {
  const headers = {
    ...(route.requestType && { 'content-type': route.requestType.type }),
    ...route.fixedHeaders,
  };
  const pairs = Object.entries(headers).map(([name, value]) => `${quote(name)}: ${quote(value)}`);
  return pairs.length > 0 ? [`headers={${pairs.join(', ')}}`] : null;
}

/** The names of classes with their module. */
const inModels = ({ text }: PythonType): string =>
  text.replaceAll(/\b[A-Z]\w+/g, (name) => (/^(?:Any|None)$/.test(name) ? name : `models.${name}`));
