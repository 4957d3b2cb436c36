/** Pattern that matches any of these words. */
const oneOf = (words: string): string => `(?:${words.split(' ').join('|')})`;

const units = oneOf(
  'seconds? secs? minutes? mins? hours? hrs? days? weekends? weeks? fortnights? months? ' +
    'quarters? years? yrs? decades? centur(?:y|ies)',
);
const manyUnits = oneOf('seconds minutes hours days weeks months years decades centuries ages');
const longUnit = oneOf('hour day weekend week fortnight month quarter year decade century');
const number =
  '(?:\\d[\\d.,]{0,9}|couple of|half an?|and a half|' +
  'one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty|' +
  'fifty|sixty|ninety|hundred|few|couple|several|many|some|dozen|whole)';
const atHour = oneOf('noon midnight dawn dusk sunrise sunset lunchtime dinnertime bedtime night');
const began = oneOf('was were met started began moved left got graduated married');

/** Time cues other than dates: durations, clock times, and temporal adverbs. */
const durations = new RegExp(
  [
    `\\b${number}[ -]${units}\\b`,
    `\\ban? ${longUnit}\\b`,
    `\\b(?:for|over the|in recent) ${manyUnits}\\b`,
    '\\b(?:ago|yesterday|tonight|tomorrow|nowadays|these days)\\b',
    '\\b(?:ever since|since (?:then|childhood))\\b',
    `\\bsince ${oneOf('i we he she they it')} ${began}\\b`,
    '\\b(?:[01]?\\d|2[0-3]):[0-5]\\d\\b',
    '\\b(?:1[0-2]|[1-9]) ?(?:[ap]m\\b|[ap]\\.m\\.)',
    "\\bo['’]clock\\b",
    `\\bat ${atHour}\\b`,
    `\\b${oneOf('mon tues wednes thurs fri satur sun')}days?\\b`,
    '\\b\\d{1,2}(?:st|nd|rd|th) century\\b',
  ].join('|'),
  'i',
);

export const hasDurationExpression = (text: string): boolean => durations.test(text);

const named = 'time date day weekday week weekend month quarter season year decade hour';
const timeNouns = `${oneOf(named)}s?`;
const precise = '(?:exact |specific |other )?';
const nightsToo = oneOf('nights weekends');

/** Excludes compounds: "what time zone", "what day-to-day work". */
const notNamed = `(?!-| ${oneOf(
  'zones? series complexity management machine limit off ideas? trips? jobs? planner range',
)}\\b)`;

const temporalQuestionPattern = new RegExp(
  [
    '\\bhow (?:long|soon|recently|late|early)\\b',
    `\\bhow (?:many|much) (?:more )?(?:${manyUnits}|${nightsToo}|time)\\b(?!-)`,
    `\\b(?:which|what) ${precise}${timeNouns}\\b${notNamed}`,
    `\\bwhat(?:['’]s| is| was) the ${precise}(?:date|year|month|weekday|day)\\b${notNamed}`,
    '\\b(?:since|until|till|by) when\\b',
  ].join('|'),
  'i',
);

const whenPattern = /\bwhen\b/gi;
const otherQuestion = /\b(?:what|who|whom|whose|where|why|which|how)\b/i;

/** These words after "when" form a question; a subject ("when I was young") alone does not. */
const asksNext = new RegExp(
  `^(?:['’][sd]| ${oneOf(
    'exactly did do does is are was were will would has have had can could shall should might ' +
      'must am in else',
  )}\\b)`,
  'i',
);

/** "Tell me when we met", "do you remember when". */
const asksBefore = new RegExp(
  `\\b(?:${oneOf('and or know remember recall sure about exactly')}|(?:remind|tell) (?:me|us)` +
    '|find out) $',
  'i',
);

const queryCharactersMax = 2_000;

/** Whether a query requests a time or a duration: "when did", "how long", "which year". */
export function isTemporalQuestion(query: string): boolean {
  const input = query.slice(0, queryCharactersMax);
  if (temporalQuestionPattern.test(input)) return true;
  for (const { index } of input.matchAll(whenPattern)) {
    if (isWhenQuestion(input.slice(0, index), input.slice(index + 4))) return true;
  }
  return false;
}

function isWhenQuestion(before: string, after: string): boolean {
  const ends = ['.', '?', '!', '\n'].map((mark) => before.lastIndexOf(mark));
  const clause = before.slice(Math.max(...ends) + 1);
  if (asksBefore.test(clause)) return true;
  // "What did I say when we met?" requests something else.
  if (otherQuestion.test(clause)) return false;
  if (asksNext.test(after)) return true;
  // "When I was in Rome, what did I eat?"
  if (/[,;]/.test(after) || otherQuestion.test(after)) return false;
  return clause.trim() === '';
}
