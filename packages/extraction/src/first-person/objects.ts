import { pattern } from '../statements/phrases.ts';

const capital = String.raw`\p{Lu}[\p{L}\p{M}\p{N}'.&+-]*`;
const joint = 'of|de|du|da|di|del|la|le|el|van|von|der|den|am|an|sur|upon|sans|and|&';
const nameAtStart = new RegExp(
  pattern`
    ^(?:the |a |an )?
    ((?:city of )?${capital}(?: (?:(?:${joint}) ){0,2}(?:${capital}|\d[\p{L}\d]*))*)`,
  'u',
);
/** "Tom and Lia" are two people, "Johnson and Johnson" one company. */
const personAtStart = new RegExp(
  pattern`
    ^(?:(?:Dr|Mr|Mrs|Ms|Prof)\.? )?
    (${capital}(?: (?:(?:de|van|von|der|la|bin|ibn|el|al) |al-|el-|d'){0,2}${capital}){0,3})`,
  'u',
);
/** Words with a capital letter that name neither a person nor a place. */
const noName = /^(?:I|My|We|Our|The|It|He|She|They|And|But)$|^I'/u;
const noPlace = new RegExp(
  pattern`
    ^(?:January|February|March|April|May|June|July|August|September|October|November|December|
    Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday|Zoom|Slack|Teams)$`,
  'u',
);

const withoutEnd = (text: string): string => text.replace(/[\s.,;:!?'"-]+$/u, '');

function nameIn(rest: string, names: RegExp): string | null {
  const name = withoutEnd(names.exec(rest)?.[1] ?? '').replace(/'s$/u, '');
  return name === '' || noName.test(name) ? null : name;
}

/** The place that follows: the smallest of "Bergen, Norway". */
export function placeAt(rest: string): string | null {
  const name = nameIn(rest, nameAtStart)?.replace(/ and .*$/u, '') ?? null;
  return name === null || noPlace.test(name) ? null : name;
}

export const organizationAt = (rest: string): string | null => nameIn(rest, nameAtStart);

export const personAt = (rest: string): string | null => nameIn(rest, personAtStart);

/** People in a list: "Mia, Leo and Ada". */
export function peopleAt(rest: string): string[] {
  const people: string[] = [];
  let text = rest;
  for (;;) {
    const name = personAt(text);
    if (name === null) return people;
    people.push(name);
    const at = text.indexOf(name) + name.length;
    const next = /^,? and |^, /u.exec(text.slice(at));
    if (!next) return people;
    text = text.slice(at + next[0].length);
  }
}

/** Where a noun phrase ends, besides punctuation. */
const boundary = new RegExp(
  pattern`
    [;:()!?]|(?<!\b\p{Lu})\.(?:\s|$)| [–—-] |
    \b(?:
      since|because|which|that|who|so|but|when|while|if|after|before|until|though|although|as|
      last|yesterday|today|tonight|now|lately|recently|this|these days|next|twice|once|every|each|
      daily|
      from|with|to|at|in|for|on|by|over|than|instead|though|anyway|please|too|also|any ?more|
      than|most|more|again|all|properly|together
    )\b`,
  'iu',
);
const leading = pattern`
  (?:the|a|an|my|our|some|any|both|all|his|her|their|really|most|many|certain|lots of|another)`;
const determiner = new RegExp(`^${leading} `, 'iu');
/** What only the conversation explains, or what is no thing. */
const unclear = new RegExp(
  pattern`
    ^(?:it|that|this|these|those|them|him|her|you|me|us|your|how|what|where|why|one|ones|way|idea|
    anything|something|nothing|everything|not|no|none|job|one of|i|my|we|\d+$|
    (?:working|being|having|going|getting|doing|making|seeing|talking)$)
    (?!\p{L}|ing)`,
  'iu',
);
const wordsMax = 7;
const charactersMax = 80;

/** A noun phrase without determiner; null if it names nothing. */
export function nounPhrase(text: string): string | null {
  const end = boundary.exec(text)?.index ?? text.length;
  let phrase = withoutEnd(text.slice(0, end)).trim();
  for (let next = phrase.replace(determiner, ''); next !== phrase; ) {
    phrase = next;
    next = phrase.replace(determiner, '');
  }
  const words = phrase.split(' ').length;
  const isUsable = phrase.length > 1 && phrase.length <= charactersMax && words <= wordsMax;
  return isUsable && !unclear.test(phrase) ? phrase : null;
}

const listsMax = 12;

/** The noun phrases of a list: "pollen, dust and cat hair". */
export function nounPhrases(rest: string): string[] {
  const end = boundary.exec(rest)?.index ?? rest.length;
  const list = rest.slice(0, end);
  // "Calls, text me": only what ends with "and" or "or" is a list.
  const isList = / (?:and|or) /u.test(list);
  return (isList ? list : (list.split(', ', 1)[0] ?? ''))
    .split(/,? (?:and|or) |, /u, listsMax)
    .flatMap((item) => nounPhrase(item) ?? []);
}

const phraseEnd = /[;!?()]|\.(?:\s|$)|, |,? (?:but|because|so that|since|although|though|which) /u;
const phraseWordsMax = 12;

/** The words up to the end of a clause: "run the marathon in September". */
export function wholePhrase(rest: string): string | null {
  const end = phraseEnd.exec(rest)?.index ?? rest.length;
  const phrase = withoutEnd(rest.slice(0, end))
    .replace(/^(?:to|a|an|the|on|my|our) /iu, '')
    .trim();
  const words = phrase.split(' ');
  if (phrase.length < 3 || words.length > phraseWordsMax) return null;
  return /^(?:it|that|this|them|so|not|if|whether|what|how|every|each)\b/iu.test(phrase)
    ? null
    : phrase;
}

const months = pattern`
  January|February|March|April|May|June|July|August|September|October|November|December|Jan|Feb|Mar|
  Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec`;
const day = String.raw`\d{1,2}(?:st|nd|rd|th)?`;
const dayOfYear = new RegExp(
  pattern`
    ^(?:on )?(?:the )?(\d{4}-\d\d-\d\d|
    ${day} (?:of )?(?:${months})\b(?:,? \d{4})?|(?:${months}) ${day}\b(?:,? \d{4})?)`,
  'iu',
);

/** A day of a year, with or without the year, in the words of the text. */
export const birthdayAt = (rest: string): string | null => dayOfYear.exec(rest)?.[1] ?? null;

const occupation = new RegExp(
  pattern`
    (?:(?:\p{L}{2,}(?:er|or|ist|ian|eer|ess|ant|smith|wright|keeper|maker|worker|driver)|nurse|chef|
    cook|architect|analyst|pilot|clerk|judge|priest|vet|steward|lead|ceo|cto|cfo|coo|founder|intern|
    trainee|apprentice|therapist|postdoc|surgeon|midwife|paramedic|barista|guide|coach|sailor|
    researcher|firefighter|policeman|policewoman|fisherman|dev|sysadmin|sre|pm|gp|admin)|
    head of [\p{L} ]+|(?:director|manager|professor|vice president|vp|chief) of [\p{L} ]+)$`,
  'iu',
);
const noOccupation = new RegExp(
  pattern`
    \b(?:user|beginner|newcomer|lover|fighter|mother|father|brother|sister|daughter|member|owner|
    foreigner|believer|sleeper|eater|drinker|riser|smoker|speaker|loner|hiker|climber|gamer|player|
    winner|supporter|teenager|adopter|subscriber|customer|outsider|perfectionist|pessimist|
    optimist|feminist|atheist|minimalist|vegetarian|pescatarian|diabetic|asthmatic|number|neighbor|
    learner|thinker|cyclist|commuter|survivor|follower|swimmer|runner|collector|christian|
    beneficiary|participant|descendant|immigrant|migrant|tenant|guest|stranger|partner|other|former|
    insider|fitter|better|over|under|ever|never|after|together|mentor|knitter|skier|
    surfer|traveler|traveller|dreamer|parent|grandparent|introvert|veteran|vegan|citizen|resident|
    creature|newbie|homeowner|carnivore|person|human|snorer|talker|listener|worrier)$`,
  'iu',
);

const titleEnd = new RegExp(
  pattern`
    [,;.!?]| (?:at|by|in|for|with|and|who|from|on|but|since|now|mostly|here|based|yesterday|today|
    last|of (?=\p{Lu})|these|currently|living|working|turned|specializing)\b`,
  'u',
);

/** A job by its title: "grid planner"; "morning person" is none. */
export function occupationAt(rest: string, isTold = false): string | null {
  const end = titleEnd.exec(rest)?.index ?? rest.length;
  const title = rest
    .slice(0, end)
    .replace(/^(?:the|a|an|now|currently|our|its)(?: |$)/iu, '')
    .trim();
  if (title === '' || title.split(' ').length > 5) return null;
  if (isTold) return title;
  const last = title.split(' ').at(-1) ?? '';
  const isOrigin = /^\p{Lu}/u.test(last) && !/^\p{Lu}/u.test(title);
  return occupation.test(title) && !noOccupation.test(title) && !isOrigin ? title : null;
}
