/** Signatures and arguments of methods, as Python source. */
import type { Argument } from './operations.ts';
import { bracketed, docSection, docstring, quote } from './text.ts';

/** How the source of the two clients differs. */
export interface Client {
  readonly prefix: '' | 'Async';
  readonly transport: string;
  readonly define: 'def' | 'async def';
  readonly await: '' | 'await ';
  /** Of functions that exist for both. */
  readonly suffix: '' | '_async';
}

export const clients: readonly Client[] = [
  { prefix: '', transport: 'SyncTransport', define: 'def', await: '', suffix: '' },
  {
    prefix: 'Async',
    transport: 'AsyncTransport',
    define: 'async def',
    await: 'await ',
    suffix: '_async',
  },
];

export interface Method {
  readonly define: string;
  readonly name: string;
  /** Parameters by position or name, without self. */
  readonly positional: readonly string[];
  /** Parameters by name only. */
  readonly named: readonly string[];
  readonly result: string;
  /** Paragraphs of the docstring, or its sections in lines. */
  readonly paragraphs: readonly (string | readonly string[])[];
  readonly body: readonly string[];
}

export function renderMethod(method: Method): string[] {
  const star = method.named.length > 0 ? ['*'] : [];
  const parameters = ['self', ...method.positional, ...star, ...method.named];
  return [
    '',
    ...bracketed(`${method.define} ${method.name}(`, parameters, `) -> ${method.result}:`, '    '),
    ...docstring(method.paragraphs, '        '),
    ...method.body,
  ];
}

export const byPlace = (list: readonly Argument[], place: Argument['place']): Argument[] =>
  list.filter((argument) => argument.place === place);

/** A required argument, an optional one, or one that can be null. */
export function parameterOf({ name, type, isRequired, isNullable }: Argument): string {
  if (isRequired) return `${name}: ${type.text}`;
  if (isNullable) return `${name}: ${type.text} | NotGiven = NOT_GIVEN`;
  return `${name}: ${type.text} | None = None`;
}

/** What each method that sends one request also accepts. */
export const callOptions = [
  'timeout: OptionalTimeout = NOT_GIVEN',
  'extra_headers: Mapping[str, str] | None = None',
];

export const descriptionsOf = (
  list: readonly Argument[],
): (readonly [name: string, text: string])[] =>
  list.flatMap(({ name, description }) =>
    description ? [[name, forPython(description)] as const] : [],
  );

const forPython = (text: string): string => text.replaceAll(/\bnull\b/g, 'None');

export const argsSection = (entries: readonly (readonly [string, string])[]): string[] =>
  docSection('Args', entries, '        ');

/** An argument of a call in a method is indented, has a name and ends with a comma. */
const nestedColumns = 18;

/** `{"wire": name, …}` after `head`, on several lines if necessary. */
export const dictionary = (head: string, items: readonly string[]): string =>
  bracketed(`${head}{`, items, '}', '', nestedColumns).join('\n');

export const pairs = (list: readonly Argument[]): string[] =>
  list.map(({ name, wireName }) => `${quote(wireName)}: ${name}`);

/** None is omitted, but sent as null for the fields of the second dictionary. */
export function jsonBody(list: readonly Argument[]): string {
  const plain = list.filter(({ isNullable }) => !isNullable);
  const nullable = list.filter(({ isNullable }) => isNullable);
  const dictionaries = [plain, ...(nullable.length > 0 ? [nullable] : [])].map((some) =>
    dictionary('', pairs(some)),
  );
  return bracketed('json_body(', dictionaries, ')', '', nestedColumns).join('\n');
}

/** Source of several lines, at the indentation of a method's body. */
export const bodyLines = (source: string): string[] =>
  source.split('\n').map((line) => `        ${line}`);
