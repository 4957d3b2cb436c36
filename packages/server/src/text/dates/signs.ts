const unit =
  '(?:seconds?|secs?|minutes?|mins?|hours?|hrs?|days?|weekends?|weeks?|fortnights?|months?|' +
  'quarters?|years?|yrs?|decades?|centur(?:y|ies))';
const number =
  '(?:\\d[\\d.,]{0,9}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|' +
  'thirty|forty|fifty|sixty|ninety|hundred|few|couple(?: of)?|several|many|some|half an?|dozen|' +
  'and a half|whole)';
const long = '(?:an? (?:hour|day|weekend|week|fortnight|month|quarter|year|decade|century))';

/** Beside dates: durations, clock times, and words that place something in time. */
const durations = new RegExp(
  [
    `\\b${number}[ -]${unit}\\b`,
    `\\b${long}\\b`,
    `\\b(?:for|over the|in recent) (?:${unit.replaceAll('?', '')}|ages)\\b`,
    '\\b(?:ago|yesterday|tonight|tomorrow|nowadays|these days|ever since|since (?:then|childhood))\\b',
    '\\bsince (?:i|we|he|she|they|it) (?:was|were|met|started|began|moved|left|got|graduated|married)\\b',
    '\\b(?:[01]?\\d|2[0-3]):[0-5]\\d\\b',
    '\\b(?:1[0-2]|[1-9]) ?(?:[ap]m\\b|[ap]\\.m\\.)',
    "\\bo['’]clock\\b",
    '\\bat (?:noon|midnight|dawn|dusk|sunrise|sunset|lunchtime|dinnertime|bedtime|night)\\b',
    '\\b(?:mon|tues|wednes|thurs|fri|satur|sun)days?\\b',
    '\\b\\d{1,2}(?:st|nd|rd|th) century\\b',
  ].join('|'),
  'i',
);

export const statesDuration = (text: string): boolean => durations.test(text);

const spans =
  '(?:seconds?|minutes?|hours?|days?|nights?|weekends?|weeks?|months?|years?|decades?|centuries)';
const asked =
  '(?:time|date|day|weekday|week|weekend|month|quarter|season|year|decade|century|hour)s?';

/** Not the time but something named after it: "what time zone", "what day-to-day work". */
const notNamed =
  '(?!-| (?:zones?|series|complexity|management|machine|limit|off|ideas?|trips?|jobs?|planner|range)\\b)';

const askers = new RegExp(
  [
    '\\bhow (?:long|soon|recently|late|early)\\b',
    `\\bhow (?:many|much) (?:more )?(?:${spans}|time)\\b(?!-)`,
    `\\b(?:which|what) (?:exact |specific |other )?${asked}\\b${notNamed}`,
    `\\bwhat(?:'s|’s| is| was| were| are) the (?:exact |specific )?(?:dates?|year|month|weekday|day)\\b${notNamed}`,
    '\\b(?:since|until|till|by) when\\b',
  ].join('|'),
  'i',
);

const whenPattern = /\bwhen\b/gi;
const otherQuestion = /\b(?:what|who|whom|whose|where|why|which|how)\b/i;
/** Behind "when" these ask; a subject ("when I was young") does not by itself. */
const asksNext =
  /^(?:[’']s|[’']d| (?:exactly|did|do|does|is|are|was|were|will|would|has|have|had|can|could|shall|should|might|must|am|in|else)\b)/i;
/** "Tell me when we met", "do you remember when". */
const asksBefore =
  /(?:\b(?:and|or|know|remember|recall|remind me|tell me|tell us|sure|about|exactly|find out) )$/i;

/** Whether a query asks for a time or a duration: "when did", "how long", "which year". */
export function asksWhen(query: string): boolean {
  const read = query.slice(0, queryCharactersMax);
  if (askers.test(read)) return true;
  for (const { index } of read.matchAll(whenPattern)) {
    if (whenAsks(read.slice(0, index), read.slice(index + 4))) return true;
  }
  return false;
}

const queryCharactersMax = 2_000;

function whenAsks(before: string, after: string): boolean {
  const clause = before.slice(
    Math.max(...['.', '?', '!', '\n'].map((c) => before.lastIndexOf(c))) + 1,
  );
  if (asksBefore.test(clause)) return true;
  // "What did I say when we met?" asks for something else.
  if (otherQuestion.test(clause)) return false;
  if (asksNext.test(after)) return true;
  // "When I was in Rome, what did I eat?"
  if (/[,;]/.test(after) || otherQuestion.test(after)) return false;
  return clause.trim() === '';
}
