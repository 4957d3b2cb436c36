export const blockNames: ReadonlySet<string> = new Set(['if', 'unless', 'each', 'with']);

/** As Handlebars has it: what is empty is no. */
export const isTruthy = (value: unknown): boolean =>
  Array.isArray(value) ? value.length > 0 : Boolean(value);

const textCharactersMax = 100_000;

/** A value within a text; a list or an object as JSON. */
export function toText(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'object') return (JSON.stringify(value) ?? '').slice(0, textCharactersMax);
  return String(value).slice(0, textCharactersMax);
}

const truncate = (value: unknown, most: unknown): string => {
  const characters = [...toText(value)];
  const max = Math.max(1, Math.floor(Number(most) || 0));
  return characters.length <= max
    ? characters.join('')
    : `${characters.slice(0, max - 1).join('')}…`;
};

const join = (value: unknown, between: unknown = ', '): string =>
  Array.isArray(value) ? value.map(toText).join(toText(between)) : toText(value);

const lengthOf = (value: unknown): number =>
  Array.isArray(value) ? value.length : [...toText(value)].length;

/** The day of a timestamp, in UTC; anything else as it is. */
const date = (value: unknown): string => toText(value).replace(/^(\d{4}-\d\d-\d\d)T.*$/, '$1');

type Helper = (...values: unknown[]) => unknown;

/** All helpers that a template may call; each is pure and takes as long as its values are. */
export const helpers: ReadonlyMap<string, Helper> = new Map<string, Helper>([
  ['truncate', truncate],
  ['join', join],
  ['date', date],
  ['length', lengthOf],
  ['upper', (value) => toText(value).toUpperCase()],
  ['lower', (value) => toText(value).toLowerCase()],
  ['default', (value, instead) => (isTruthy(value) ? value : instead)],
  ['eq', (one, other) => one === other],
  ['not', (value) => !isTruthy(value)],
  ['and', (...values) => values.every(isTruthy)],
  ['or', (...values) => values.find(isTruthy) ?? false],
]);
