/** A pattern that is any of these, without regard to case. */
export const anyOf = (...patterns: readonly string[]): RegExp =>
  new RegExp(patterns.map((pattern) => `(?:${pattern})`).join('|'), 'iu');

/**
 * The source of a regular expression on several lines: line breaks and the spaces around them are
 * not part of it, and a backslash is written once.
 */
export const pattern = (parts: TemplateStringsArray, ...inserted: readonly string[]): string =>
  String.raw({ raw: parts.raw.map((part) => part.replaceAll(/ *\n */gu, '')) }, ...inserted);

const months = pattern`
  january|february|march|april|may|june|july|august|september|october|november|december|
  jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec`;
const days = '(?:mon|tues|wednes|thurs|fri|satur|sun)days?';
const seasons = 'spring|summer|autumn|fall|winter|christmas|easter';
const units = 'week|weekend|month|year|quarter|term|semester';
const counts = String.raw`\d+|a|two|three|four|five|six|a few`;

/** A time that a plan names. */
export const timePhrase = pattern`(?:
  \b(?:${months}|${days}|${seasons}|tomorrow|q[1-4]|20\d\d)\b|
  \b(?:next|this|coming|following) (?:${units}|${seasons})\b|
  \bend of the (?:${units})\b|
  \bin (?:${counts}) (?:days|${units})s?\b|
  \b\d{1,2}[./]\d{1,2}\b
)`;
