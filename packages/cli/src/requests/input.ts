import type { ArgumentData, CommandData, FieldData } from '../command-data.ts';
import { UsageError } from '../errors.ts';
import { toSpaceField } from '../options.ts';
import { parseJson, parseValue, readReference, type ValueSource } from './values.ts';

/** What the command line gave: texts by position and by flag; booleans by flag. */
export interface Given {
  /** By position; the last one has all texts of a repeated argument. */
  readonly arguments: readonly (readonly string[])[];
  readonly options: Readonly<Record<string, readonly string[] | boolean>>;
  readonly body?: string | undefined;
  readonly unset?: readonly string[] | undefined;
}

/** The input of an operation of the SDK. */
export interface RequestInput {
  params?: Record<string, string>;
  query?: Record<string, unknown>;
  headers?: Record<string, string>;
  body?: unknown;
}

/**
 * The input of an operation. `--body` is the start, options replace its fields. Throws UsageError
 * for a text of the wrong type and for a required field that is missing.
 */
export async function buildInput(
  command: CommandData,
  given: Given,
  source: ValueSource,
): Promise<RequestInput> {
  const input: Required<RequestInput> = { params: {}, query: {}, headers: {}, body: {} };
  if (command.body && given.body !== undefined) input.body = await parseBody(given.body, source);
  for (const [i, argument] of (command.arguments ?? []).entries()) {
    const texts = given.arguments[i] ?? [];
    if (texts.length > 0) await setField(input, argument, texts, `<${argument.name}>`, source);
  }
  for (const option of command.options ?? []) {
    const texts = given.options[option.flag];
    if (texts !== undefined) await setField(input, option, texts, `--${option.flag}`, source);
  }
  for (const name of given.unset ?? []) setNull(input, command, name);
  requireFields(input, command);
  return withoutEmptyParts(input, command);
}

async function parseBody(text: string, source: ValueSource): Promise<Record<string, unknown>> {
  const body = parseJson(await readReference(text, source), '--body');
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) return { ...body };
  throw new UsageError('--body must be a JSON object.');
}

async function setField(
  input: Required<RequestInput>,
  data: FieldData,
  given: readonly string[] | boolean,
  label: string,
  source: ValueSource,
): Promise<void> {
  const target = input[data.place] as Record<string, unknown>;
  const value = typeof given === 'boolean' ? given : await readValue(data, given, label, source);
  if (data.type === 'space') {
    const prefix = data.field.slice(0, -'space'.length);
    const fields = toSpaceField(String(value));
    for (const [name, text] of Object.entries(fields)) setPath(target, `${prefix}${name}`, text);
  } else if (data.type === 'filter') {
    for (const [name, text] of Object.entries(value as object)) target[`metadata.${name}`] = text;
  } else {
    setPath(target, data.field, value);
  }
}

/** An id in a path must not be dots, which name another resource. */
async function readValue(
  data: FieldData,
  texts: readonly string[],
  label: string,
  source: ValueSource,
): Promise<unknown> {
  if (data.place !== 'params') return parseValue(data, texts, label, source);
  const [text = ''] = texts;
  if (/^\.*$/.test(text)) throw new UsageError(`${label} must be an id.`);
  return text;
}

function setPath(target: Record<string, unknown>, path: string, value: unknown): void {
  const [name = '', ...rest] = path.split('.');
  if (rest.length === 0) {
    target[name] = value;
    return;
  }
  const nested = { ...(target[name] as Record<string, unknown> | undefined) };
  setPath(nested, rest.join('.'), value);
  target[name] = nested;
}

const getPath = (target: unknown, path: string): unknown =>
  path
    .split('.')
    .reduce<unknown>((value, name) => (value as Record<string, unknown> | null)?.[name], target);

function setNull(input: Required<RequestInput>, command: CommandData, name: string): void {
  const flag = name.replace(/^--/, '');
  const option = command.options?.find((one) => one.flag === flag);
  if (!option?.nullable) {
    const known = command.options?.filter(({ nullable }) => nullable).map((one) => one.flag) ?? [];
    throw new UsageError(`--unset ${name} is not possible: use ${known.join(', ')}.`);
  }
  setPath(input.body as Record<string, unknown>, option.field, null);
}

function requireFields(input: RequestInput, { arguments: named = [], options = [] }: CommandData) {
  for (const argument of named) {
    if (!isMissing(input, argument)) continue;
    throw new UsageError(`missing required argument '${argument.name}'`);
  }
  const missing = options.filter((option) => isMissing(input, option));
  if (missing.length === 0) return;
  const flags = missing.map(({ flag }) => `--${flag}`).join(', ');
  throw new UsageError(`missing required option${missing.length > 1 ? 's' : ''}: ${flags}`);
}

const isMissing = (input: RequestInput, data: FieldData | ArgumentData): boolean =>
  data.required === true && getPath(input[data.place], data.field) === undefined;

function withoutEmptyParts(input: Required<RequestInput>, { body }: CommandData): RequestInput {
  const { params, query, headers } = input;
  return {
    ...(Object.keys(params).length > 0 && { params }),
    ...(Object.keys(query).length > 0 && { query }),
    ...(Object.keys(headers).length > 0 && { headers }),
    ...(body && { body: input.body }),
  };
}
