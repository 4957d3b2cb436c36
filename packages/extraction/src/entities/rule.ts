import type { FactPredicate } from '../types.ts';

/**
 * A pattern over a sentence in which names are signs: `<p:1>` persons, o organisations, l places, x
 * products, e events, s skills, d dates; lists have several numbers. Group `b` is the object (or
 * the subject, if turned); group `a` the subject; without it the subject is searched to the left.
 */
export interface FactRule {
  readonly pattern: RegExp;
  /** `member`: part_of for teams, clubs and departments, else works_at. */
  readonly predicate: FactPredicate | 'member';
  /** Letters of the types that the subject may have. */
  readonly subjects: string;
  readonly turned?: true;
  /** The meaning of a date near it. */
  readonly time?: 'from' | 'to' | 'was';
  /** Both names are in one list. */
  readonly among?: true;
  readonly confidence: number;
}

/** The letters of the types that group `b` may have; a rule without any finds lists. */
export const objectLettersOf = ({ pattern }: FactRule): ReadonlySet<string> =>
  new Set(
    Array.from(
      pattern.source.matchAll(/\(\?<b><\[?([a-z]+)/g),
      ([, letters]) => letters ?? '',
    ).join(''),
  );

export const entityIdsPattern = '[\\d+]+';
export const namePattern = (letters: string, group: 'a' | 'b'): string =>
  `(?<${group}><[${letters}]:${entityIdsPattern}>)`;
export const articles =
  '(?:(?:the|a|an|new|old|still|also|another|currently|now|mostly|mainly|only|both|either) ){0,3}';
export const upToTwoWords = '(?:[a-z-]+ ){0,2}?';
export const upToFourWords = '(?:[a-z-]+ ){0,4}?';
export const oneToFourWords = '(?:[a-z-]+ ){0,3}[a-z-]+';
export const beVerb = '(?:is|was|are|were|am|has been|have been|being|became|becomes|remains) ';
export const optionalNowAdverb = '(?:still |now |also |currently |again |back )?';
/** Roles "of" an organisation that are not a job there. */
export const notAfterRole =
  '(?<!founder|member|members|friend|part|customer|student|graduate|fan|board|team|group|office|' +
  'department|side|city|owner|client|patient|neighbour)';
export const anyOfWords = (words: string): string =>
  `(?:${words.trim().split(/\s+/).join('|').replaceAll('_', ' ')})`;

export const kinNoun = anyOfWords(`
  mother mom mum mama father dad papa brother bro sister sis son daughter kid husband wife spouse
  partner fiance fiancee boyfriend girlfriend uncle aunt auntie cousin nephew niece grandmother
  grandfather grandma grandpa gran granny nana grandad granddad grandson granddaughter grandchild
  brother-in-law sister-in-law mother-in-law father-in-law son-in-law daughter-in-law stepmother
  stepfather stepbrother stepsister stepson stepdaughter half-brother half-sister godfather
  godmother godson goddaughter godchild twin twin_sister twin_brother neighbour neighbor landlord
  landlady tenant mentor mentee flatmate roommate housemate ex ex-wife ex-husband widow widower
  teacher tutor coach instructor supervisor-at-uni therapist dentist doctor gp physio lawyer
  solicitor accountant nanny babysitter au-pair student pupil trainer midwife`);
export const superiorNoun = anyOfWords(`
  boss manager line_manager supervisor superior team_lead lead team_leader head_of_department
  skip-level chief foreman group_leader`);
export const subordinateNoun = anyOfWords(`
  assistant deputy intern trainee apprentice secretary pa report direct_report right_hand`);
export const friendNoun = anyOfWords(`
  friend best_friend mate buddy pal acquaintance classmate schoolmate old_friend penpal
  school_friend`);
export const colleagueNoun = anyOfWords(`
  colleague coworker co-worker teammate co-author coauthor cofounder co-founder collaborator
  lab_partner business_partner co-host bandmate officemate`);
export const roleNoun = anyOfWords(`
  ceo cto cfo coo cmo cio buyer director manager president chair founder engineer lawyer editor
  spokesperson spokeswoman spokesman representative rep analyst secretary head lead curator
  accountant
  researcher scientist developer designer coach nurse doctor teacher professor astronomer captain
  drummer singer bassist guitarist treasurer consultant officer pm technician architect recruiter
  librarian chef baker conductor driver assessor planner administrator coordinator contact`);
export const linkToName =
  '(?: (?:at|in|of|from) (?:the )?<[ol]:[\\d+]+>)?(?: (?:is|was|,|:|called|named|is ' +
  'still|is now))?';

export const joinVerbs = anyOfWords(`
  joined joins has_joined signed_for moved_to went_to started_at started_with
  started_work_at transferred_to switched_to`);
export const leaveVerbs = anyOfWords(`
  left quit leaves resigned_from retired_from came_over_from came_from moved_from went_from
  comes_from departed`);
export const makeVerbs = anyOfWords(`
  wrote writing built building developed developing runs ran organised organises organized
  published made recorded designed co-organises founded co-founded leads maintains`);
export const createFactRule = (
  pattern: string,
  predicate: FactRule['predicate'],
  subjects: string,
  more: Partial<FactRule> = {},
): FactRule => ({
  pattern: new RegExp(pattern, 'g'),
  predicate,
  subjects,
  confidence: 0.75,
  ...more,
});

export const organizationObject = namePattern('o', 'b');
export const personObject = namePattern('p', 'b');
export const locationObject = namePattern('l', 'b');
export const productObject = namePattern('x', 'b');
export const skillObject = namePattern('s', 'b');
export const personSubject = namePattern('p', 'a');
export const organizationSubject = namePattern('o', 'a');
