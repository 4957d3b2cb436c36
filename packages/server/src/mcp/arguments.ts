import { limits, parseId, parseTimestamp } from '@mneme/contract';
import { ToolError } from './tool-error.ts';

/** An argument of a tool: its JSON Schema for the model, and how a sent value is read. */
export interface ArgumentField<T> {
  readonly schema: Readonly<Record<string, unknown>>;
  readonly isRequired: boolean;
  /** Throws WrongArgument. `undefined`: nothing was sent. */
  readonly read: (sent: unknown) => T;
}

type Fields = Readonly<Record<string, ArgumentField<unknown>>>;
export type ArgumentsOf<F extends Fields> = {
  readonly [name in keyof F]: ReturnType<F[name]['read']>;
};

/** A value that cannot be used; the message says what to send, after the name of the argument. */
class WrongArgument extends Error {}

/** Models send null and empty texts for arguments that they leave out. */
const isMissing = (sent: unknown): boolean =>
  sent === undefined || sent === null || (typeof sent === 'string' && sent.trim() === '');

const define = <T>(
  schema: Record<string, unknown>,
  read: (sent: unknown) => T,
): ArgumentField<T | undefined> => ({
  schema,
  isRequired: false,
  read: (sent) => (isMissing(sent) ? undefined : read(sent)),
});

/** The same argument, without which the tool cannot run. */
export const required = <T>(field: ArgumentField<T | undefined>): ArgumentField<T> => ({
  schema: field.schema,
  isRequired: true,
  read: (sent) => {
    const value = field.read(sent);
    if (value === undefined) throw new WrongArgument('is required');
    return value;
  },
});

const describe = (description?: string) => (description === undefined ? {} : { description });

export const text = (description?: string): ArgumentField<string | undefined> =>
  define({ type: 'string', ...describe(description) }, (sent) => {
    if (typeof sent === 'string') return sent;
    if (typeof sent === 'number' || typeof sent === 'boolean') return String(sent);
    throw new WrongArgument('must be a text');
  });

interface IntegerBounds {
  readonly min: number;
  readonly max: number;
  readonly fallback: number;
}

/** A larger value counts as the maximum. */
export const integer = (
  { min, max, fallback }: IntegerBounds,
  description?: string,
): ArgumentField<number> => ({
  schema: { type: 'integer', minimum: min, default: fallback, ...describe(description) },
  isRequired: false,
  read: (sent) => {
    if (isMissing(sent)) return fallback;
    const value = typeof sent === 'string' ? Number(sent.replaceAll(/[\s_,]/g, '')) : sent;
    if (typeof value === 'number' && value >= min) return Math.min(Math.floor(value), max);
    throw new WrongArgument(`must be a number of at least ${min}`);
  },
});

/** An array, an array as JSON text, or texts between commas. */
function toList(sent: unknown): unknown[] {
  if (Array.isArray(sent)) return sent;
  if (typeof sent !== 'string') return [sent];
  const trimmed = sent.trim();
  if (!trimmed.startsWith('[')) return trimmed.split(',');
  try {
    return JSON.parse(trimmed) as unknown[];
  } catch {
    throw new WrongArgument('must be a list of texts, such as ["a", "b"]');
  }
}

function readTexts(sent: unknown): string[] {
  const items = toList(sent).filter((item) => !isMissing(item));
  return items.map((item) => {
    if (typeof item === 'string' || typeof item === 'number') return String(item).trim();
    throw new WrongArgument('must be a list of texts, such as ["a", "b"]');
  });
}

const listSchema = { type: 'array', items: { type: 'string' } };

export const textList = (description?: string): ArgumentField<string[] | undefined> =>
  define({ ...listSchema, ...describe(description) }, (sent) => {
    const texts = readTexts(sent);
    if (texts.length > limits.tagsPerMemoryMax) {
      throw new WrongArgument(`must have at most ${limits.tagsPerMemoryMax} items`);
    }
    return texts;
  });

/** Accepts an id as recall writes it, in brackets, and as the URI of a resource. */
const idPattern = /^(?:mneme:\/\/memories\/)?\[?([^[\]]*)\]?$/;

/** At least one id of a memory; each once. */
export const memoryIds = (max: number): ArgumentField<string[]> =>
  required(
    define(listSchema, (sent) => {
      const ids = readTexts(
        typeof sent === 'string' && parseMemoryId(sent) !== null ? [sent] : sent,
      ).map((item) => {
        const id = parseMemoryId(item);
        if (id === null) {
          throw new WrongArgument(`must be ids as recall returns them: ${quote(item)} is none`);
        }
        return id;
      });
      if (ids.length === 0) throw new WrongArgument('must have at least one id');
      if (ids.length > max) throw new WrongArgument(`must have at most ${max} ids per call`);
      return [...new Set(ids)];
    }),
  );

/** The id in an id, `[id]` or the URI of a resource; null: none. */
export const parseMemoryId = (item: string): string | null =>
  parseId(idPattern.exec(item.trim())?.[1]?.trim() ?? '', 'memory');

const quote = (sent: string): string => JSON.stringify(sent.slice(0, 60));

const dateOnly = /^\d{4}(?:-?\d\d){2}$/;
const withoutOffset = /^(\d{4}-?\d\d-?\d\d)[ T]([\d:.,]+)$/i;
const dayMs = 86_400_000;

/** A day or a time; without an offset it is UTC. `endOfDay`: a day means its end. */
export const time = (
  description?: string,
  { endOfDay = false } = {},
): ArgumentField<Date | undefined> =>
  define({ type: 'string', ...describe(description) }, (sent) => {
    const trimmed = String(sent).trim();
    const parsed = parseTimestamp(trimmed.replace(withoutOffset, '$1T$2Z'));
    if (parsed === null) {
      throw new WrongArgument('must be a date or time such as 2026-01-31 or 2026-01-31T09:00:00Z');
    }
    return endOfDay && dateOnly.test(trimmed) ? new Date(parsed.getTime() + dayMs) : parsed;
  });

/** The input schema of a tool with these arguments. */
export function toInputSchema(fields: Fields): { type: 'object'; [key: string]: unknown } {
  const entries = Object.entries(fields);
  const names = entries.filter(([, { isRequired }]) => isRequired).map(([name]) => name);
  return {
    type: 'object',
    properties: Object.fromEntries(entries.map(([name, { schema }]) => [name, schema])),
    ...(names.length > 0 ? { required: names } : {}),
  };
}

/**
 * Reads the arguments of a call; unknown ones are ignored. Throws ToolError with everything that is
 * wrong and a valid example.
 */
export function readArguments<F extends Fields>(
  tool: string,
  fields: F,
  example: Readonly<Record<string, unknown>>,
  sent: Readonly<Record<string, unknown>>,
): ArgumentsOf<F> {
  const values: Record<string, unknown> = {};
  const problems: string[] = [];
  for (const [name, field] of Object.entries(fields)) {
    try {
      values[name] = field.read(sent[name]);
    } catch (error) {
      if (!(error instanceof WrongArgument)) throw error;
      problems.push(`${name} ${error.message}`);
    }
  }
  if (problems.length === 0) return values as ArgumentsOf<F>;
  const valid = JSON.stringify(example);
  throw new ToolError(`validation_error: ${problems.join('; ')}. Call ${tool} with ${valid}.`);
}

/** The arguments object of a call: some clients send it as JSON text, or null. */
export function toArgumentsObject(sent: unknown): unknown {
  if (sent === undefined || isMissing(sent)) return {};
  if (typeof sent !== 'string') return sent;
  try {
    return JSON.parse(sent);
  } catch {
    return sent;
  }
}
