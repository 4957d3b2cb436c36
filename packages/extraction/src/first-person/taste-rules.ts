import { pattern } from '../statements/phrases.ts';
import { nounPhrases } from './objects.ts';
import {
  am,
  does,
  has,
  i,
  my,
  phrases,
  type Read,
  rules,
  type SpeakerRule,
  things,
} from './rule.ts';

const allergicTo = { predicate: 'allergic_to', read: nounPhrases } as const;
const degree = '(?:severe(?:ly)?|high(?:ly)?|very|extremely|mild(?:ly)?|slight(?:ly)?|deathly)';
const allergies: readonly SpeakerRule[] = [
  ...rules(
    allergicTo,
    pattern`${am}(?:${degree} |terribly |quite |deadly )?(?:allergic|intolerant) to `,
    pattern`
      ${has}(?:have|developed|got|been diagnosed with|suffer from) (?:a |an )?
      (?:[\p{L}-]+ ){0,2}allerg(?:y|ies) to `,
    pattern`${my}allerg(?:y|ies)(?: is| are| include|:)(?: to)? `,
  ),
  ...rules(
    { ...allergicTo, read: things },
    pattern`
      ${has}(?:have|got|developed|suffer from) (?:a |an )?
      (?:(?:${degree}|bad|serious|strong|life-threatening|terrible|nasty|known|new) )?
      (?<b>(?!food|few|lot|many|some|seasonal)[\p{L}-]+(?: [\p{Ll}]+)?) allerg(?:y|ies)\b`,
    pattern`${am}(?:\p{Ll}+ and )?(?<b>lactose|gluten|fructose|histamine|dairy)[ -]intolerant\b`,
  ),
];

const fan = '(?:a |an )?(?:big |huge |great |massive |real |die-hard )?fans? of';
const likes = { predicate: 'likes', read: nounPhrases } as const;
const liked = '(?:like|love|enjoy|adore)';
const likeRules: readonly SpeakerRule[] = [
  ...rules({ ...likes, read: phrases }, pattern`${does}${liked} to `),
  ...rules(
    likes,
    pattern`${does}${liked} (?!to |my |our |you\b|it\b)`,
    pattern`
      ${am}(?:${fan}|fond of|keen on|into|crazy about|mad about|passionate about|
      obsessed with) `,
    pattern`
      ${my}(?:all-time )?favou?rite (?:[\p{L}-]+ ){1,4}?(?:is|are) (?!when|that|not|to )`,
    pattern`${my}(?:main |biggest )?(?:hobby|hobbies|passion) (?:is|are) `,
    pattern`${has}fallen in love with (?!you|her|him|them|\p{Lu})`,
  ),
];

const dislikes = { predicate: 'dislikes', read: nounPhrases } as const;
const disliked = "(?:hate|dislike|detest|loathe|despise|can't stand|cannot stand|can't bear)";
const dislikeRules: readonly SpeakerRule[] = [
  ...rules(
    dislikes,
    pattern`${does}${disliked} (?!to |you\b|it\b)`,
    pattern`
      ${i} (?:don't|do not|never|didn't)(?: really| much| particularly)?
      [ ](?:like|liked|love|loved|enjoy|enjoyed|care for) (?!to |it\b)`,
    pattern`${i}(?:'m| am) not (?:really |at all )?(?:${fan}|fond of|keen on|into) `,
    pattern`${my}least favou?rite (?:[\p{L}-]+ ){1,3}?(?:is|are) `,
  ),
  ...rules({ ...dislikes, read: phrases }, pattern`${does}${disliked} to `),
];

const usually = / (?:in the (?:morning|evening|afternoon|summer|winter)|these days|at night)$/u;
const preferred: Read = (rest) => phrases(rest).map((phrase) => phrase.replace(usually, ''));
const preferences = rules(
  { predicate: 'prefers', read: preferred },
  pattern`${i}(?:'d| would) (?:much )?(?:rather|prefer)(?: to)? (?!the |you |it |not |if )`,
  pattern`${does}prefer(?: to)? (?!not |that |if |it\b)`,
  pattern`${my}preference is (?:for )?(?!that|if)`,
  pattern`${my}preferred (?:[\p{L}-]+ ){1,3}?(?:is|are) `,
);

export const tasteRules: readonly SpeakerRule[] = [
  ...allergies,
  ...dislikeRules,
  ...likeRules,
  ...preferences,
];
