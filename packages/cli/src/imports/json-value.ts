/** Readers of values of foreign JSON: anything may be missing or of another type. */

export type Json = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const toObject = (value: unknown): Json => (isObject(value) ? value : {});

export const toArray = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Null for an empty text. */
export const toText = (value: unknown): string | null =>
  typeof value === 'string' && value.trim() !== '' ? value : null;

/** A number or text as an id. */
export const toId = (value: unknown): string | null =>
  typeof value === 'number' && Number.isFinite(value) ? String(value) : toText(value);

const earliestMs = Date.UTC(1900, 0, 1);
const latestMs = Date.UTC(2200, 0, 1);

const toValidDate = (ms: number): Date | null =>
  ms >= earliestMs && ms < latestMs ? new Date(ms) : null;

/** Above this, a number counts milliseconds: as seconds it would be after the year 5000. */
const secondsMax = 1e11;

const isoPattern =
  /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?)\s*(Z|[+-]\d\d:?\d\d|UTC)?)?$/i;

/**
 * A time as seconds, milliseconds or ISO 8601; null for anything else. A time without an offset is
 * one of UTC, so that the time zone of a machine changes nothing.
 */
export function toDate(value: unknown): Date | null {
  if (value instanceof Date) return toValidDate(value.getTime());
  if (typeof value === 'number')
    return toValidDate(Math.abs(value) < secondsMax ? Math.round(value * 1_000) : value);
  if (typeof value !== 'string') return null;
  const text = value.trim();
  if (/^\d{9,13}(?:\.\d+)?$/.test(text)) return toDate(Number(text));
  const [, day, time = '00:00', offset = 'Z'] = isoPattern.exec(text) ?? [];
  if (day === undefined) return null;
  const zone = /^(?:z|utc)$/i.test(offset) ? 'Z' : offset.replace(/^(...)(\d\d)$/, '$1:$2');
  return toValidDate(new Date(`${day}T${time}${zone}`).getTime());
}
