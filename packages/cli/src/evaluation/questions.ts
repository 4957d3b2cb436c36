import { CliError } from '../errors.ts';

/** A memory that a question expects: by its id, by a part of its text, or by metadata. */
export type Expectation =
  | { readonly id: string }
  | { readonly text: string }
  | { readonly metadata: Readonly<Record<string, string | number | boolean>> };

export interface Question {
  /** The line in the file, from 1. */
  readonly line: number;
  readonly query: string;
  /** Empty: no memory answers the question. */
  readonly expected: readonly Expectation[];
  readonly space?: string;
  readonly user_id?: string;
  readonly as_of?: string;
}

const lineFields = ['query', 'expected', 'space', 'user_id', 'as_of', 'answerable'];
const idPattern = /^(?:mem_)?([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i;

/**
 * Parses one question per line; empty lines are skipped. Throws CliError `invalid_questions` that
 * names the file, the line and the field.
 */
export function parseQuestions(file: string, text: string): Question[] {
  const questions = text
    .replace(/^\uFEFF/, '')
    .split('\n')
    .flatMap((source, i) => (source.trim() === '' ? [] : [parseLine(file, source, i + 1)]));
  if (questions.length > 0) return questions;
  throw new CliError('invalid_questions', `${file} has no questions.`);
}

function parseLine(file: string, source: string, line: number): Question {
  const reject = (problem: string): never => {
    throw new CliError('invalid_questions', `${file}:${line}: ${problem}.`);
  };
  const fields = parseObject(source) ?? reject('is not a JSON object');
  const unknown = Object.keys(fields).find((name) => !lineFields.includes(name));
  if (unknown !== undefined) {
    reject(`${unknown} is not a field; the fields are ${lineFields.join(', ')}`);
  }
  const readText = (name: string): string | undefined => {
    const value = fields[name];
    if (value === undefined || value === null) return undefined;
    return typeof value === 'string' && value.trim() !== ''
      ? value
      : reject(`${name} must be a text that is not empty`);
  };
  const query = readText('query') ?? reject('query is required');
  const answerable = fields.answerable ?? true;
  if (typeof answerable !== 'boolean') reject('answerable must be true or false');
  const expected = parseExpected(fields.expected, reject);
  if (answerable && expected.length === 0) {
    reject('expected is required, unless answerable is false');
  }
  if (!answerable && expected.length > 0) {
    reject('expected must be empty if answerable is false');
  }
  const [space, user_id, as_of] = [readText('space'), readText('user_id'), readText('as_of')];
  if (as_of !== undefined && Number.isNaN(Date.parse(as_of))) {
    reject('as_of must be a time such as 2026-03-01T00:00:00Z');
  }
  return {
    line,
    query,
    expected,
    ...(space !== undefined && { space }),
    ...(user_id !== undefined && { user_id }),
    ...(as_of !== undefined && { as_of }),
  };
}

function parseObject(source: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(source);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

function parseExpected(value: unknown, reject: (problem: string) => never): Expectation[] {
  if (value === undefined || value === null) return [];
  const items: readonly unknown[] = Array.isArray(value) ? value : [value];
  return items.map(
    (item, i) =>
      parseExpectation(item) ??
      reject(
        `expected.${i} must be an id or a part of the text, or an object with id, text or metadata`,
      ),
  );
}

function parseExpectation(item: unknown): Expectation | null {
  if (typeof item === 'string') return parseId(item) ?? parseFragment(item);
  const names = Object.keys(Object(item));
  if (names.length !== 1) return null;
  const { id, text, metadata } = item as Record<string, unknown>;
  if (id !== undefined) return typeof id === 'string' ? parseId(id) : null;
  if (text !== undefined) return typeof text === 'string' ? parseFragment(text) : null;
  const pairs = Object.entries(Object(metadata));
  const isPlain = pairs.every(([, one]) => /^(?:string|number|boolean)$/.test(typeof one));
  if (pairs.length === 0 || !isPlain || typeof metadata !== 'object') return null;
  return { metadata: metadata as Record<string, string | number | boolean> };
}

function parseId(text: string): Expectation | null {
  const id = idPattern.exec(text.trim())?.[1];
  return id === undefined ? null : { id: id.toLowerCase() };
}

const parseFragment = (text: string): Expectation | null => (text.trim() === '' ? null : { text });

/** What two runs compare: the same question of the same scope. */
export const questionKey = ({
  query,
  space,
  user_id,
  as_of,
}: Pick<Question, 'query' | 'space' | 'user_id' | 'as_of'>): string =>
  JSON.stringify([query, space ?? null, user_id ?? null, as_of ?? null]);
