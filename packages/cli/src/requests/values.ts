import type { FieldData } from '../command-data.ts';
import { UsageError } from '../errors.ts';

/** Where values come from in addition to the command line. */
export interface ValueSource {
  /** The text of stdin; only once. */
  readInput(): Promise<string>;
  readFile(path: string): Promise<string>;
  now(): Date;
}

/** Each text that was given for an option or argument. */
type GivenTexts = readonly string[];

/**
 * The value of a field. `label` names the option or argument in errors. Throws UsageError for a
 * text that does not have the type of the field; the service checks ranges.
 */
export async function parseValue(
  { type, field }: Pick<FieldData, 'type' | 'field'>,
  texts: GivenTexts,
  label: string,
  source: ValueSource,
): Promise<unknown> {
  const last = texts.at(-1) ?? '';
  switch (type) {
    case 'text':
      return readReference(last, source);
    case 'integer':
    case 'number':
      return parseNumber(last, label, type);
    case 'time':
      return parseTime(last, source.now());
    case 'list':
      return parseList(texts, source);
    case 'numbers':
      return parseNumbers(last, label, source);
    case 'object':
    case 'filter':
      return parseObject(texts, label, source, type === 'filter');
    case 'json':
      return parseJsonValues(await readReference(last, source), label);
    case 'boolean':
      throw new Error(`${field} has no text.`);
    default:
      return last;
  }
}

/** `-` is stdin, `@file` a file, `@@text` the text `@text`. */
export async function readReference(text: string, source: ValueSource): Promise<string> {
  if (text === '-') return source.readInput();
  if (text.startsWith('@@')) return text.slice(1);
  return text.startsWith('@') ? source.readFile(text.slice(1)) : text;
}

function parseNumber(text: string, label: string, type: 'integer' | 'number'): number {
  const pattern = type === 'integer' ? /^[+-]?\d+$/ : /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;
  const value = pattern.test(text) ? Number(text) : Number.NaN;
  const isValid = type === 'integer' ? Number.isSafeInteger(value) : Number.isFinite(value);
  const article = type === 'integer' ? 'an' : 'a';
  if (!isValid) throw new UsageError(`${label} must be ${article} ${type}.`);
  return value;
}

const msOfUnit = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const;

/** `7d` is seven days ago, `+7d` in seven days; a date is its first moment in UTC. */
export function parseTime(text: string, now: Date): string {
  const [, sign, count, unit] = /^([+-]?)(\d{1,6})([smhdw])$/.exec(text) ?? [];
  if (count === undefined) return /^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00:00Z` : text;
  const ms = Number(count) * msOfUnit[unit as keyof typeof msOfUnit];
  return new Date(now.getTime() + (sign === '+' ? ms : -ms)).toISOString();
}

const itemsOf = (text: string, separator: RegExp): string[] =>
  text
    .split(separator)
    .map((item) => item.trim())
    .filter((item) => item !== '');

/** Items separated by commas, in one text or in several; `-` reads a line for each from stdin. */
export async function parseList(
  texts: GivenTexts,
  source: Pick<ValueSource, 'readInput'>,
): Promise<string[]> {
  const lists: string[][] = [];
  for (const text of texts) {
    lists.push(text === '-' ? itemsOf(await source.readInput(), /\r?\n/) : itemsOf(text, /,/));
  }
  return lists.flat();
}

async function parseNumbers(text: string, label: string, source: ValueSource): Promise<unknown> {
  const read = (await readReference(text, source)).trim();
  if (read.startsWith('[')) return parseJson(read, label);
  return itemsOf(read, /[,\s]/).map((item) => parseNumber(item, label, 'number'));
}

async function parseObject(
  texts: GivenTexts,
  label: string,
  source: ValueSource,
  keepsTexts: boolean,
): Promise<Record<string, unknown>> {
  const all: Record<string, unknown> = {};
  for (const text of texts) Object.assign(all, await parseEntries(text, label, source, keepsTexts));
  return all;
}

async function parseEntries(
  text: string,
  label: string,
  source: ValueSource,
  keepsTexts: boolean,
): Promise<object> {
  const [, key, value] = /^([^={[@][^=]*)=(.*)$/s.exec(text) ?? [];
  if (key !== undefined && value !== undefined) {
    return { [key]: keepsTexts ? value : parseScalar(value) };
  }
  const read = text === '' ? null : await readReference(text, source);
  const parsed = read !== null && /^\s*[{[]/.test(read) ? parseJson(read, label) : null;
  if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)) return parsed;
  throw new UsageError(`${label} must be key=value or a JSON object.`);
}

/** JSON if it is valid, otherwise the text: `year=2026` is a number. */
function parseScalar(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

export function parseJson(text: string, label: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new UsageError(`${label} is not valid JSON: ${(error as Error).message}`);
  }
}

/** An array as it is; one JSON value, or one per line, as a list. */
function parseJsonValues(text: string, label: string): unknown {
  const lines = itemsOf(text, /\r?\n/);
  const isLines = lines.length > 1 && lines.every((line) => /^\{.*\}$/.test(line));
  if (isLines) return lines.map((line) => parseJson(line, label));
  const value = parseJson(text, label);
  return Array.isArray(value) ? value : [value];
}
