/** A named day in a text: its words and its ISO date. */
export interface Feast {
  readonly start: number;
  readonly end: number;
  readonly value: string;
}

const dayMs = 86_400_000;

/** Days of a fixed month and day. */
const fixed: Readonly<Record<string, readonly [number, number]>> = {
  'boxing day': [12, 26],
  "st stephen's day": [12, 26],
  'st. stephen’s day': [12, 26],
  epiphany: [1, 6],
  'may day': [5, 1],
  'labour day': [5, 1],
  'bastille day': [7, 14],
  'independence day': [7, 4],
  "women's day": [3, 8],
  "st patrick's day": [3, 17],
  "st. patrick's day": [3, 17],
  "april fools' day": [4, 1],
  'all saints': [11, 1],
  "st nicholas' day": [12, 6],
  'st nicholas': [12, 6],
  'bonfire night': [11, 5],
  juneteenth: [6, 19],
  "new year's": [1, 1],
};

/** Days from Easter Sunday. */
const fromEaster: Readonly<Record<string, number>> = {
  'shrove tuesday': -47,
  'ash wednesday': -46,
  'palm sunday': -7,
  'maundy thursday': -3,
  'good friday': -2,
  'easter sunday': 0,
  'easter monday': 1,
  easter: 0,
  'ascension day': 39,
  'whit sunday': 49,
  'whit monday': 50,
  pentecost: 49,
};

/** Days from the fourth Thursday of November. */
const fromThanksgiving: Readonly<Record<string, number>> = { 'black friday': 1, 'cyber monday': 4 };

const names = [fixed, fromEaster, fromThanksgiving].flatMap((days) => Object.keys(days));
const pattern = new RegExp(
  `\\b(${names
    .toSorted((one, other) => other.length - one.length)
    .map((name) => name.replaceAll('.', '\\.'))
    .join('|')})(?:,? (\\d{4}))?\\b`,
  'gi',
);
const mayName = /day|night|easter|pentecost|epiphany|saints|nicholas|juneteenth|new year's/i;
const past = /\b(?:was|were|had|did|went|last|came|got|saw|met|\p{L}{3,}ed)\b/iu;

/** Named days that move with the year, or that are kept in some countries. */
export function feastsOf(text: string, at: Date): Feast[] {
  if (!mayName.test(text)) return [];
  return [...text.matchAll(pattern)].flatMap((match) => {
    const start = match.index;
    // In small letters "may day" may be anything.
    if (!/\p{Lu}/u.test(match[0]) && match[1]?.toLowerCase() !== 'easter') return [];
    const from = Math.max(text.lastIndexOf('. ', start), text.lastIndexOf('\n', start)) + 1;
    const before = text.slice(from, start);
    const planned = /\b(?:will|to \p{L}+|until|till|before|by)\b[^.;]{0,20}$/iu.test(before);
    const was = /\bsince\s$/i.test(before) || (!planned && past.test(before));
    const year = match[2] ? Number(match[2]) : null;
    const name = (match[1] as string).toLowerCase();
    const value = new Date(dayOf(name, year, at, was)).toISOString().slice(0, 10);
    return [{ start, end: start + match[0].length, value }];
  });
}

function dayOf(name: string, year: number | null, at: Date, was: boolean): number {
  const day = (of: number): number => inYear(name, of);
  if (year !== null) return day(year);
  const today = at.getTime() - (at.getTime() % dayMs);
  const here = at.getUTCFullYear();
  const candidates = [here - 1, here, here + 1].map(day);
  if (was) return candidates.findLast((ms) => ms <= today) ?? day(here - 1);
  return candidates.find((ms) => ms >= today) ?? day(here + 1);
}

function inYear(name: string, year: number): number {
  const date = fixed[name];
  if (date) return Date.UTC(year, date[0] - 1, date[1]);
  const offset = fromEaster[name];
  if (offset !== undefined) return easterOf(year) + offset * dayMs;
  const first = new Date(Date.UTC(year, 10, 1)).getUTCDay();
  const thursday = Date.UTC(year, 10, 1 + ((4 - first + 7) % 7) + 21);
  return thursday + (fromThanksgiving[name] ?? 0) * dayMs;
}

/** Easter Sunday of the Gregorian calendar, by the rule of Meeus, Jones and Butcher. */
function easterOf(year: number): number {
  const a = year % 19;
  const b = Math.floor(year / 100);
  const c = year % 100;
  const h = (19 * a + b - Math.floor(b / 4) - Math.floor((8 * b + 13) / 25) + 15) % 30;
  const l = (32 + 2 * (b % 4) + 2 * Math.floor(c / 4) - h - (c % 4)) % 7;
  const m = Math.floor((a + 11 * h + 22 * l) / 451);
  const month = Math.floor((h + l - 7 * m + 114) / 31);
  return Date.UTC(year, month - 1, ((h + l - 7 * m + 114) % 31) + 1);
}
