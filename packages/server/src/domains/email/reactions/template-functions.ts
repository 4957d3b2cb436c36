export const blockHelperNames: ReadonlySet<string> = new Set(['if', 'unless', 'each', 'with']);

/** As in Handlebars: an empty array is false. */
export const isTruthy = (value: unknown): boolean =>
  Array.isArray(value) ? value.length > 0 : Boolean(value);

const textCharactersMax = 100_000;

/** The text of a value; JSON for arrays and objects. */
export function toText(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'object') return (JSON.stringify(value) ?? '').slice(0, textCharactersMax);
  return String(value).slice(0, textCharactersMax);
}

const truncate = (value: unknown, limit: unknown): string => {
  const characters = [...toText(value)];
  const max = Math.max(1, Math.floor(Number(limit) || 0));
  return characters.length <= max
    ? characters.join('')
    : `${characters.slice(0, max - 1).join('')}…`;
};

const join = (value: unknown, separator: unknown = ', '): string =>
  Array.isArray(value) ? value.map(toText).join(toText(separator)) : toText(value);

const lengthOf = (value: unknown): number =>
  Array.isArray(value) ? value.length : [...toText(value)].length;

/** The UTC date of a timestamp; other values are returned unchanged. */
const date = (value: unknown): string => toText(value).replace(/^(\d{4}-\d\d-\d\d)T.*$/, '$1');

type Helper = (...values: unknown[]) => unknown;

/** The allowed helpers. Each is pure and takes time linear in the length of its arguments. */
export const templateHelpers: ReadonlyMap<string, Helper> = new Map<string, Helper>([
  ['truncate', truncate],
  ['join', join],
  ['date', date],
  ['length', lengthOf],
  ['upper', (value) => toText(value).toUpperCase()],
  ['lower', (value) => toText(value).toLowerCase()],
  ['default', (value, fallback) => (isTruthy(value) ? value : fallback)],
  ['eq', (one, other) => one === other],
  ['not', (value) => !isTruthy(value)],
  ['and', (...values) => values.every(isTruthy)],
  ['or', (...values) => values.find(isTruthy) ?? false],
]);
