/** A holiday in a text: its words and its ISO date. */
export interface HolidayMention {
  readonly start: number;
  readonly end: number;
  readonly value: string;
}

const dayMs = 86_400_000;

/** Holidays with a fixed month and day. */
const fixed: Readonly<Record<string, readonly [number, number]>> = {
  'boxing day': [12, 26],
  "st stephen's day": [12, 26],
  "st. stephen's day": [12, 26],
  epiphany: [1, 6],
  'three kings': [1, 6],
  'twelfth night': [1, 5],
  'burns night': [1, 25],
  'australia day': [1, 26],
  candlemas: [2, 2],
  'groundhog day': [2, 2],
  'waitangi day': [2, 6],
  "valentine's day": [2, 14],
  'valentines day': [2, 14],
  "valentine's": [2, 14],
  'leap day': [2, 29],
  "st david's day": [3, 1],
  'pi day': [3, 14],
  'ides of march': [3, 15],
  "st joseph's day": [3, 19],
  nowruz: [3, 20],
  "st george's day": [4, 23],
  'earth day': [4, 22],
  'anzac day': [4, 25],
  "king's day": [4, 27],
  'walpurgis night': [4, 30],
  walpurgis: [4, 30],
  'may day': [5, 1],
  'labour day': [5, 1],
  'cinco de mayo': [5, 5],
  've day': [5, 8],
  'europe day': [5, 9],
  'd-day': [6, 6],
  bloomsday: [6, 16],
  'midsummer eve': [6, 23],
  'midsummer day': [6, 24],
  midsummer: [6, 24],
  'canada day': [7, 1],
  'bastille day': [7, 14],
  'independence day': [7, 4],
  'fourth of july': [7, 4],
  "st swithin's day": [7, 15],
  'mandela day': [7, 18],
  ferragosto: [8, 15],
  'assumption day': [8, 15],
  'feast of the assumption': [8, 15],
  michaelmas: [9, 29],
  'gandhi jayanti': [10, 2],
  "international women's day": [3, 8],
  "women's day": [3, 8],
  "st patrick's day": [3, 17],
  "st. patrick's day": [3, 17],
  "paddy's day": [3, 17],
  "april fools' day": [4, 1],
  "april fool's day": [4, 1],
  'april fools': [4, 1],
  "all hallows' eve": [10, 31],
  halloween: [10, 31],
  'all saints': [11, 1],
  "all saints' day": [11, 1],
  "all souls' day": [11, 2],
  'all souls': [11, 2],
  'day of the dead': [11, 2],
  'día de muertos': [11, 2],
  'remembrance day': [11, 11],
  'armistice day': [11, 11],
  'veterans day': [11, 11],
  "st martin's day": [11, 11],
  martinmas: [11, 11],
  "st andrew's day": [11, 30],
  sinterklaas: [12, 5],
  "st nicholas' day": [12, 6],
  "st nicholas's day": [12, 6],
  'st nicholas day': [12, 6],
  'st nicholas': [12, 6],
  "st lucia's day": [12, 13],
  "st lucy's day": [12, 13],
  'bonfire night': [11, 5],
  'guy fawkes night': [11, 5],
  juneteenth: [6, 19],
  hogmanay: [12, 31],
  "new year's eve": [12, 31],
  "new year's day": [1, 1],
  "new year's": [1, 1],
};

/**
 * Holidays on the nth weekday of a month: month, weekday (Sunday 0), n (−1: last), offset in days.
 */
const nth: Readonly<Record<string, readonly [number, number, number, number]>> = {
  'mlk day': [1, 1, 3, 0],
  "presidents' day": [2, 1, 3, 0],
  'presidents day': [2, 1, 3, 0],
  "mother's day": [5, 0, 2, 0],
  'mothers day': [5, 0, 2, 0],
  'memorial day': [5, 1, -1, 0],
  "father's day": [6, 0, 3, 0],
  'fathers day': [6, 0, 3, 0],
  'labor day': [9, 1, 1, 0],
  'columbus day': [10, 1, 2, 0],
  'election day': [11, 1, 1, 1],
  thanksgiving: [11, 4, 4, 0],
  'black friday': [11, 4, 4, 1],
  'cyber monday': [11, 4, 4, 4],
  'advent sunday': [11, 4, 4, 3],
};

/** Offset from Easter Sunday in days. */
const fromEaster: Readonly<Record<string, number>> = {
  rosenmontag: -48,
  'shrove tuesday': -47,
  'pancake day': -47,
  'mardi gras': -47,
  'ash wednesday': -46,
  'mothering sunday': -21,
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
  whitsun: 49,
  'corpus christi': 60,
};

const names = [fixed, fromEaster, nth].flatMap((days) => Object.keys(days));
const pattern = new RegExp(
  `\\b(${names
    .toSorted((one, other) => other.length - one.length)
    .map((name) => name.replaceAll('.', '\\.').replaceAll("'", "['’]"))
    .join('|')})(?:,? (\\d{4}))?\\b`,
  'gi',
);
/** In lower case these may mean something else. */
const doubtful = /^(?:may day|all s|st |epiphany|three kings|walpurgis|new year's$|valentine)/;
const past = /\b(?:was|were|had|did|went|last|came|got|saw|met|\p{L}{3,}ed)\b/iu;

/** Finds holidays, including movable and national ones. */
export function findHolidays(text: string, at: Date): HolidayMention[] {
  return [...text.matchAll(pattern)].flatMap((match) => {
    const start = match.index;
    if (!/\p{Lu}/u.test(match[0]) && doubtful.test(match[0])) return [];
    const from = Math.max(text.lastIndexOf('. ', start), text.lastIndexOf('\n', start)) + 1;
    const before = text.slice(from, start);
    const planned = /\b(?:will|to (?!the\b|an?\b)\p{L}+|until|till|before|by)\b[^.;]{0,20}$/iu.test(
      before,
    );
    const was = /\bsince\s$/i.test(before) || (!planned && past.test(before));
    const year = match[2] ? Number(match[2]) : null;
    const name = (match[1] as string).toLowerCase().replaceAll('’', "'");
    const value = new Date(dayOf(name, year, at, was, planned)).toISOString().slice(0, 10);
    return [{ start, end: start + match[0].length, value }];
  });
}

const nearDays = 10;

function dayOf(
  name: string,
  year: number | null,
  at: Date,
  was: boolean,
  planned: boolean,
): number {
  const day = (of: number): number => inYear(name, of);
  if (year !== null) return day(year);
  const today = at.getTime() - (at.getTime() % dayMs);
  const here = at.getUTCFullYear();
  const candidates = [here - 1, here, here + 1].map(day);
  const last = candidates.findLast((ms) => ms <= today) ?? day(here - 1);
  // A holiday a few days ago is more likely than that of the next year.
  if (was || (!planned && today - last <= nearDays * dayMs)) return last;
  return candidates.find((ms) => ms >= today) ?? day(here + 1);
}

function inYear(name: string, year: number): number {
  const date = fixed[name];
  if (date) return Date.UTC(year, date[0] - 1, date[1]);
  const offset = fromEaster[name];
  if (offset !== undefined) return easterOf(year) + offset * dayMs;
  const [month, weekday, count, later] = nth[name] as (typeof nth)[string];
  if (count < 0) {
    const last = new Date(Date.UTC(year, month, 0));
    return last.getTime() - ((last.getUTCDay() - weekday + 7) % 7) * dayMs;
  }
  const first = new Date(Date.UTC(year, month - 1, 1));
  const days = ((weekday - first.getUTCDay() + 7) % 7) + 7 * (count - 1) + later;
  return first.getTime() + days * dayMs;
}

/** Easter Sunday of the Gregorian calendar, by the algorithm of Meeus, Jones and Butcher. */
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
