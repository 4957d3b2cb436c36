import { pattern } from '../statements/phrases.ts';
import { peopleAt } from './objects.ts';
import {
  am,
  called,
  days,
  has,
  i,
  my,
  name,
  persons,
  type Read,
  rules,
  type SpeakerRule,
} from './rule.ts';

const people: Read = (rest) => peopleAt(rest);
const partnerOf = { predicate: 'partner_of', type: 'person', read: persons } as const;
const spouse = '(?:wife|husband|partner|girlfriend|boyfriend|spouse|fiancée?|fiance)';
const wed = '(?:married|engaged)';
const partners: readonly SpeakerRule[] = [
  ...rules(
    partnerOf,
    pattern`${my}${spouse}${called}(?=\p{Lu})`,
    pattern`${my}${spouse} (?=\p{Lu})`,
    pattern`${am}(?:happily )?${wed} to (?=\p{Lu})`,
    pattern`${am}(?:dating|seeing|in a relationship with|living with my ${spouse}) (?=\p{Lu})`,
    pattern`${has}(?:got |been |gotten )?${wed} (?:to )?(?=\p{Lu})`,
    pattern`\b(?:with|and|w/) my ${spouse},? (?<b>${name})`,
    pattern`^(?<b>${name}) is my (?:new |dear )?${spouse}\b`,
    pattern`
      ^(?<b>${name}) and (?:I|me)(?:'ve| have)?(?: just| recently)?
      [ ](?:got|are|been|gotten) (?:married|engaged|wed)\b`,
  ),
  ...rules(
    { ...partnerOf, ends: true },
    pattern`
      ^(?<b>${name}) and (?:I|me)(?: have|'ve| are)?(?: just| recently)?
      [ ](?:split up|broke up|broken up|separated|divorced|got divorced|no longer together)\b`,
    pattern`${my}ex(?:[ -]${spouse})?(?:'s name)?(?: is| was|,)?(?: called| named)? (?=\p{Lu})`,
    pattern`${am}(?:divorced|separated) from (?=\p{Lu})`,
    pattern`
      ${has}(?:split up|split|broke up|broken up|got divorced|separated)
      [ ](?:with|from) (?=\p{Lu})`,
    pattern`${has}divorced (?=\p{Lu})`,
  ),
];

const parentOf = { predicate: 'parent_of', type: 'person', read: people } as const;
const child = '(?:son|daughter|kid|child|baby|boy|girl|twin|toddler)';
const children = `${child}(?:ren|s)?`;
const counted = '(?:a|an|one|two|three|four|five|six|some|several|another)';
const childRules: readonly SpeakerRule[] = [
  ...rules(
    parentOf,
    pattern`
      ${my}(?:(?:\p{Ll}+|\d+-\p{L}+(?:-old)?) )?${children}(?:'s name|s' names|' names)?
      (?: is| are|,|:)?(?: called| named)? (?=\p{Lu})`,
    pattern`\b(?:with|and|w/) my (?:\p{Ll}+ )?${children},? (?=\p{Lu})`,
    pattern`
      ${i}(?:'ve got| have got| have| had) (?:.{1,50}? and )?${counted} (?:[\p{Ll}-]+ ){0,2}?
      ${children}(?: called| named|,|:|,? whose names? (?:is|are)|,? and (?:his|her) name is)
      [ ](?=\p{Lu})`,
    pattern`
      ${has}(?:welcomed|had) (?:a|our|my) (?:[\p{Ll}-]+ ){0,2}${child}(?:,| named| called)+
      [ ](?=\p{Lu})`,
    pattern`
      ${am}(?:the |a )?(?:proud |single |new )?(?:mother|father|mum|mom|dad|parent|parents)
      [ ](?:of|to) (?:[\p{Ll} ]{1,30}?(?:,|:| named| called) )?(?=\p{Lu})`,
  ),
  ...rules(
    { ...parentOf, read: persons },
    pattern`^(?<b>${name}) is my (?:[\p{Ll}-]+ ){0,2}(?:son|daughter|child|kid)\b`,
  ),
];

const pet = { predicate: 'pet', read: people } as const;
const animal = pattern`
  (?:dog|cat|puppy|kitten|rabbit|bunny|parrot|budgie|hamster|guinea pig|horse|pony|goldfish|fish|
  tortoise|turtle|snake|lizard|gecko|ferret|rat|mouse|canary|chicken|hen|goat|bird|cockatiel|gerbil|
  [Ll]abrador|[Pp]oodle|[Bb]eagle|[Dd]achshund|[Cc]orgi|[Hh]usky|[Rr]etriever|[Bb]ulldog|
  spaniel|collie|terrier|greyhound|
  pug|mutt|tabby|iguana|chameleon|hedgehog|donkey|sheep|pig|duck|tarantula|axolotl|
  chinchilla|whippet|sheepdog|schnauzer)`;
const animals = `${animal}(?:s|es)?`;
const hadPets = "(?:got|adopted|bought|have|rescued|own|keep|gotten|'ve got)";
const petRules: readonly SpeakerRule[] = [
  ...rules(
    pet,
    pattern`
      ${has}(?:${hadPets} )*${counted} (?:[\p{L}-]+ ){0,3}?${animals}
      (?:,|:| called| named|,? whose names? (?:is|are)|,? and (?:his|her|its) name is)+ (?=\p{Lu})`,
    pattern`
      ${my}(?:[\p{Ll}-]+ ){0,2}?(?:${animals}|pet)(?:'s name|s' names|' names)?(?: is| are|,|:)?
      (?: called| named)? (?=${name}(?! (?:died|passed|was put)))`,
    pattern`^(?<b>${name}) is my (?:\p{Ll}+ ){0,2}${animal}\b`,
  ),
  ...rules(
    { predicate: 'pet', read: (kind) => [kind] },
    pattern`
      ${has}(?:${hadPets} )+(?:a|an|one|two|three|four|five|six|some)
      [ ](?:(?!fear|love|lot|of\b)[\p{Ll}-]+ ){0,2}?(?<b>${animals})\b
      (?! (?:allergy|food|shelter|shop|sitter|person|named|called|tattoo|phobia|bed|house|costume))
      (?!,? \p{Lu})`,
  ),
  ...rules(
    { ...pet, ends: true },
    pattern`
      ${my}(?:\p{Ll}+ )?(?:${animals}|pet),? (?<b>\p{Lu}\p{L}+),?
      [ ](?:died|has died|passed away|was put down)\b`,
  ),
];

const birthdays: readonly SpeakerRule[] = rules(
  { predicate: 'birthday', read: days },
  pattern`${my}(?:birthday|b-?day|date of birth|birthdate|birth date)(?: is|'s|:|,)(?: always)? `,
  pattern`${i} (?:was|were) born (?=on )`,
  pattern`${i}(?:'ll| will)? (?:turn|turned|be|am turning) \d{1,3} (?=on )`,
  pattern`${am}turning \d{1,3} (?=on )`,
  pattern`${my}birthday falls (?=on )`,
  pattern`${i} (?:celebrate|have) my birthday (?=on )`,
  pattern`^(?<b>[\p{L}\d ]{3,20}) is my birthday\b`,
);

export const familyRules: readonly SpeakerRule[] = [
  ...partners,
  ...childRules,
  ...petRules,
  ...birthdays,
];
