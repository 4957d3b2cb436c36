import { pattern } from './phrases.ts';

const home = new RegExp(
  pattern`
    ^I(?:['’]m| am|['’]ve| have)? (?:(?:now|currently|just|recently) )*
    (?:live|living|based|moved) (?:in|to) \p{Lu}`,
  'u',
);
const own = new RegExp(
  pattern`
    ^My (?:new |current )?(
      name|e-?mail(?: address)?|phone(?: number)?|mobile(?: number)?|(?:home |postal )?address|
      job title|manager|boss|employer|time ?zone
    ) is (?!not\b)`,
  'iu',
);
const favourite = /^My favou?rite ((?:[\p{L}-]+ ){1,3})(?:is|are) (?!not\b)/iu;
const age = /^I(?:['’]m| am) \d{1,3}(?:[.!]?$| years old)/u;
const nickname = /^(?:Please )?call me \p{Lu}/iu;

/**
 * The attribute of the speaker that a statement gives a value, of those that have one value at a
 * time; null for any other statement.
 */
export function attributeOf(statement: string): string | null {
  if (home.test(statement)) return 'home';
  if (age.test(statement)) return 'age';
  if (nickname.test(statement)) return 'nickname';
  const name = own.exec(statement)?.[1];
  if (name !== undefined)
    return name.toLowerCase().replaceAll(/[^a-z]|address|number/gu, '') || 'address';
  const thing = favourite.exec(statement)?.[1];
  return thing === undefined
    ? null
    : `favourite ${thing.trim().toLowerCase().replace('color', 'colour')}`;
}
