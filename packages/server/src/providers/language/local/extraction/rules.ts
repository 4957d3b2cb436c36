import type { Predicate } from '../../language.ts';

/**
 * A pattern over a sentence whose names are signs: `<p:1>` persons, o organisations, l places, x
 * products, e events, s skills, d dates; lists have several numbers. Group `b` is the object (or
 * the subject, when turned); group `a` the subject, which is looked for to the left without it.
 */
export interface Rule {
  readonly pattern: RegExp;
  /** `member`: part_of for teams, clubs and departments, else works_at. */
  readonly predicate: Predicate | 'member';
  /** Letters of the types the subject may have. */
  readonly subjects: string;
  readonly turned?: true;
  /** What a date beside it tells. */
  readonly time?: 'from' | 'to' | 'was';
  /** Among the names of one list. */
  readonly among?: true;
  readonly confidence: number;
}

const ids = '[\\d+]+';
const name = (letters: string, group: 'a' | 'b'): string => `(?<${group}><[${letters}]:${ids}>)`;
const the =
  '(?:(?:the|a|an|new|old|still|also|another|currently|now|mostly|mainly|only|both|either) ){0,3}';
const few = '(?:[a-z-]+ ){0,2}?';
const some = '(?:[a-z-]+ ){0,4}?';
const role = '(?:[a-z-]+ ){0,3}[a-z-]+';
const is = '(?:is|was|are|were|am|has been|have been|being|became|becomes|remains) ';
const now = '(?:still |now |also |currently |again |back )?';
/** What is "of" an organisation without being a job there. */
const noRole =
  '(?<!founder|member|members|friend|part|customer|student|graduate|fan|board|team|group|office|' +
  'department|side|city|owner|client|patient|neighbour)';
const any = (words: string): string =>
  `(?:${words.trim().split(/\s+/).join('|').replaceAll('_', ' ')})`;

const kin = any(`
  mother mom mum mama father dad papa brother bro sister sis son daughter kid husband wife spouse
  partner fiance fiancee boyfriend girlfriend uncle aunt auntie cousin nephew niece grandmother
  grandfather grandma grandpa gran granny nana grandad granddad grandson granddaughter grandchild
  brother-in-law sister-in-law mother-in-law father-in-law son-in-law daughter-in-law stepmother
  stepfather stepbrother stepsister stepson stepdaughter half-brother half-sister godfather
  godmother godson goddaughter godchild twin twin_sister twin_brother neighbour neighbor landlord
  landlady tenant mentor mentee flatmate roommate housemate ex ex-wife ex-husband widow widower
  teacher tutor coach instructor supervisor-at-uni therapist dentist doctor gp physio lawyer
  solicitor accountant nanny babysitter au-pair student pupil trainer midwife`);
const boss = any(`
  boss manager line_manager supervisor superior team_lead lead team_leader head_of_department
  skip-level chief foreman group_leader`);
const below = any(`
  assistant deputy intern trainee apprentice secretary pa report direct_report right_hand`);
const friend = any(`
  friend best_friend mate buddy pal acquaintance classmate schoolmate old_friend penpal school_friend`);
const colleague = any(`
  colleague coworker co-worker teammate co-author coauthor cofounder co-founder collaborator
  lab_partner business_partner co-host bandmate officemate`);
const chief = any(`
  ceo cto cfo coo cmo cio buyer director manager president chair founder engineer lawyer editor
  spokesperson spokeswoman spokesman representative rep analyst secretary head lead curator accountant
  researcher scientist developer designer coach nurse doctor teacher professor astronomer captain
  drummer singer bassist guitarist treasurer consultant officer pm technician architect recruiter
  librarian chef baker conductor driver assessor planner administrator coordinator contact`);
const linkTo =
  '(?: (?:at|in|of|from) (?:the )?<[ol]:[\\d+]+>)?(?: (?:is|was|,|:|called|named|is ' +
  'still|is now))?';

const rule = (
  pattern: string,
  predicate: Rule['predicate'],
  subjects: string,
  more: Partial<Rule> = {},
): Rule => ({ pattern: new RegExp(pattern, 'g'), predicate, subjects, confidence: 0.75, ...more });

const o = name('o', 'b');
const p = name('p', 'b');
const l = name('l', 'b');
const x = name('x', 'b');
const s = name('s', 'b');
const pa = name('p', 'a');
const oa = name('o', 'a');

const employment: readonly Rule[] = [
  rule(`\\b(?:works?|working) (?:[a-z]+ |<l:\\d+> ){1,4}?(?:at|for) ${the}${o}`, 'member', 'p'),
  rule(
    '\\b(?:took over|appointed|promoted|elected|named|started|serves|returned|' +
      `joined) (?:[a-z]+ )?(?:to|as) (?:the |a |an |our )?${role} (?:of|at|for|in) ` +
      `${the}${o}`,
    'member',
    'p',
    { time: 'from' },
  ),
  rule(
    '\\b' +
      `${any('works? working teaches practises practices volunteers consults freelances')}` +
      ` (?:as ${role} )?(?:at|for) ${the}${o}`,
    'member',
    'p',
    { confidence: 0.9 },
  ),
  rule(
    `\\b${any('worked taught volunteered interned served consulted')} (?:as ${role} ` +
      `)?(?:at|for) ${the}${o}`,
    'member',
    'p',
    { time: 'was' },
  ),
  rule(
    '\\b' +
      `${any('joined joins has_joined signed_for moved_to went_to started_at started_with started_work_at transferred_to switched_to')}` +
      ` ${the}${o}`,
    'member',
    'p',
    { time: 'from' },
  ),
  rule(`\\b${any('job position role post gig')} ${any('at with as')} ${the}${o}`, 'works_at', 'p', {
    time: 'from',
    confidence: 0.65,
  }),
  rule(
    '\\b' +
      `${any('left quit leaves resigned_from retired_from came_over_from came_from moved_from went_from comes_from departed')}` +
      ` ${the}${o}`,
    'member',
    'p',
    { time: 'to' },
  ),
  rule(`\\b(?:left|quit|leaves|swapped) <o:${ids}> (?:for|to join) ${the}${o}`, 'member', 'p', {
    time: 'from',
  }),
  rule(
    `\\b(?:moved|went|came|transferred|switched) (?:over )?from <o:${ids}> to ${the}${o}`,
    'member',
    'p',
    { time: 'from' },
  ),
  rule(`${is}${now}(?:at|with|employed by|employed at) ${the}${o}`, 'works_at', 'p'),
  rule(
    `${is}${now}(?:the |a |an |our |their )?${role}${noRole} (?:at|of|for) ${the}${o}`,
    'member',
    'p',
    { confidence: 0.8 },
  ),
  rule(
    `\\b${any('runs leads heads manages chairs directs edits represents')} ${the}${o}`,
    'member',
    'p',
  ),
  rule(
    `\\b${any('runs leads heads manages')} the (?:<l:\\d+> )?[a-z]+ (?:of|at) ${the}${o}`,
    'works_at',
    'p',
  ),
  rule(`\\b${any('does makes handles plays mixes')} [a-z]+ for ${the}${o}`, 'works_at', 'p', {
    confidence: 0.6,
  }),
  rule(`${o} (?:has |just )?(?:hired|recruited|appointed|employs) ${pa}`, 'works_at', 'p', {
    time: 'from',
  }),
  rule(`${is}(?:hired|employed|recruited) by ${the}${o}`, 'works_at', 'p', { time: 'from' }),
  rule(`${pa} from ${the}${o}(?! to)`, 'member', 'p', { confidence: 0.8 }),
  rule(`${pa} \\( (?:[a-z -]{1,40} , |[a-z -]{1,40} (?:at|of|from) )?${the}${o}`, 'member', 'p', {
    confidence: 0.8,
  }),
  rule(
    `${pa} , (?:the |a |an )?${role}${noRole} (?:at|of|for|from|with) ${the}${o}`,
    'member',
    'p',
  ),
  rule(`${pa} (?:at|of) ${the}${o}`, 'member', 'p', { confidence: 0.6 }),
  rule(`${pa} , (?:${role} , )?${o}(?= [.!]?$|$| , <l)`, 'works_at', 'p', { confidence: 0.6 }),
  rule(
    `${o} 's (?:new |own |chief |lead |head |senior )?(?:[a-z-]+ )?${chief}(?: is| ,)? ${pa}`,
    'works_at',
    'p',
    { confidence: 0.85 },
  ),
  rule(`${o} (?:new |chief |lead |head |senior )?${chief} ${pa}`, 'works_at', 'p'),
  rule(`${o} 's ${pa}`, 'works_at', 'p', { confidence: 0.65 }),
  rule(
    `${pa} 's ${few}(?:${boss}|mentor|colleagues?|team|desk|job|work|coworkers?|` +
      `employer|company|shift) (?:at|is) ${the}${o}`,
    'works_at',
    'p',
  ),
];

const memberships: readonly Rule[] = [
  rule(`\\bpart of ${the}${o}`, 'part_of', 'op', { confidence: 0.85, time: 'from' }),
  rule(`\\bpart of ${the}${x}`, 'part_of', 'xo', { confidence: 0.8 }),
  rule(`\\bpart of ${the}${l}`, 'part_of', 'l', { confidence: 0.8 }),
  rule(
    '\\b' +
      `${any('district quarter suburb neighbourhood neighborhood borough region island')}` +
      ` of ${the}${l}`,
    'part_of',
    'l',
    { confidence: 0.7 },
  ),
  rule(
    `\\b${any('subsidiary division branch unit arm department section brand')} of ${the}${o}`,
    'part_of',
    'o',
    { confidence: 0.8 },
  ),
  rule(`\\bbelongs? to ${the}${o}`, 'part_of', 'ox', { confidence: 0.85 }),
  rule(`\\bmerged into ${the}${o}`, 'part_of', 'o', { time: 'from' }),
  rule(`\\b(?:member|members) of ${the}${o}`, 'part_of', 'po'),
  rule(
    `\\b${any('plays? sings? drums rows? played dances captains coaches')} ${few}` +
      `(?:for|in|with) ${the}${o}`,
    'part_of',
    'p',
  ),
  rule(
    '\\b' +
      `${any('captain goalkeeper striker drummer singer bassist guitarist violinist')} ` +
      `(?:of|in|for|with) ${the}${o}`,
    'part_of',
    'p',
  ),
  rule(
    `\\b(?:works? in|is in|is on|sits on|serves on|moved to|works on) ${the}${o}`,
    'part_of',
    'pm',
    { confidence: 0.7 },
  ),
  rule(`${o} 's ${oa}`, 'part_of', 'o'),
  rule(`${oa} (?:at|of) ${the}${o}`, 'part_of', 'u', { confidence: 0.7 }),
  rule(`${oa} , ${o}(?= \\.?$|$)`, 'part_of', 'u', { confidence: 0.6 }),
];

const people: readonly Rule[] = [
  rule(
    `\\b(?:reports?|reporting|answers?|answering) (?:directly )?(?:in )?to ${p}`,
    'reports_to',
    'p',
    { confidence: 0.9 },
  ),
  rule(`\\bworks? under ${p}`, 'reports_to', 'p'),
  rule(`\\b(?:managed|supervised) by ${p}`, 'reports_to', 'p'),
  rule(`${pa} 's ${few}${boss}${linkTo} ${p}`, 'reports_to', 'p', { confidence: 0.85 }),
  rule(`${p} (?:is|was|,) ${pa} 's ${few}${boss}\\b`, 'reports_to', 'p', { confidence: 0.85 }),
  rule(`${p} (?:is|was|,) (?:the )?${boss} of ${pa}`, 'reports_to', 'p'),
  rule(`${p} 's ${few}${below}${linkTo} ${pa}`, 'reports_to', 'p', { confidence: 0.8 }),
  rule(`${pa} (?:is|was|,) ${p} 's ${few}${below}\\b`, 'reports_to', 'p'),
  rule(`\\b${below} (?:to|of) ${p}`, 'reports_to', 'p'),
  rule(`${p} 's ${few}${kin}${linkTo} ${pa}`, 'related_to', 'p', { confidence: 0.9 }),
  rule(`${pa}(?: is| was| ,)(?: the)? ${p} 's ${few}${kin}\\b(?! <p:)`, 'related_to', 'p', {
    confidence: 0.9,
  }),
  rule(
    `\\b(?:the |a )?${few}${kin} of (?:[a-z-]+ ){0,3}(?:<p:\\d+> 's [a-z]+ )?${p}`,
    'related_to',
    'p',
  ),
  rule(
    `\\b(?:married|engaged|related|divorced|dating|adopted|widowed)(?: to| from| by)? ${p}`,
    'related_to',
    'p',
  ),
  rule(
    '\\b(?:shares? an? (?:flat|house|room|apartment) with|lives? with|lives? next ' +
      `door to|rents? from|babysits for|rented from) ${p}`,
    'related_to',
    'p',
  ),
  rule(
    `${pa} (?:are|were|is|got|have been) (?:[a-z]+ ){0,2}?(?:siblings|cousins|twins|` +
      'brothers|sisters|neighbours|neighbors|married|engaged|flatmates|roommates|a ' +
      'couple|related)',
    'related_to',
    'p',
    { among: true },
  ),
  rule(`\\b(?:co-?)?founded ${the}${o}`, 'related_to', 'p', { confidence: 0.8 }),
  rule(`\\b(?:co-?)?founders? of ${the}${o}`, 'related_to', 'p', { confidence: 0.8 }),
  rule(`${o} (?:was |is )?(?:co-?)?founded (?:in <[ld]:\\d+> )*by ${pa}`, 'related_to', 'p'),
  rule(
    `\\b(?:knows?|knew|met|bumped into|ran into|befriended|got to know|introduced to) ${p}`,
    'knows',
    'p',
    { confidence: 0.8 },
  ),
  rule(`${p} 's ${few}${friend}${linkTo} ${pa}`, 'knows', 'p'),
  rule(`${pa}(?: is| was| ,)(?: an?| the)? ${p} 's ${few}${friend}\\b`, 'knows', 'p'),
  rule(`\\b${friend}s? (?:of|with) ${p}`, 'knows', 'p'),
  rule(
    `\\b(?:went to school|studied|at school|at university|grew up) (?:together )?with ${p}`,
    'knows',
    'p',
    { confidence: 0.6 },
  ),
  rule(
    `${pa} (?:are|were|have been|became|go back|know each other|met) ?${few}` +
      '(?:friends|mates|buddies|pals|each other|at|in)\\b',
    'knows',
    'p',
    { among: true },
  ),
];

const skills: readonly Rule[] = [
  rule(
    '<s:[\\d+]+> (?:and|,|but) (?:also |only )?(?:a little|some|a bit of|basic|good|' +
      `decent|passable|rusty|a smattering of|conversational) ${s}`,
    'knows',
    'p',
    { confidence: 0.7 },
  ),
  rule(`\\b(?:writes|codes|codes in|programs in) ${few}${s}`, 'knows', 'p', { confidence: 0.7 }),
  rule(
    '\\b(?:knows?|speaks?|mastered|masters|learnt|learned|taught|teaches|practises|' +
      `picked up|excels at|studied) (?:[a-z'-]+ ){0,4}?${s}`,
    'knows',
    'p',
    { confidence: 0.85 },
  ),
  rule(
    '\\b(?:fluent|expert|skilled|trained|certified|experienced|specialist|specialises' +
      `|specializes|proficient|qualified|versed|strong|native) in ${the}${s}`,
    'knows',
    'p',
  ),
  rule(
    '\\b(?:years|experience|degree|background|diploma|certificate|training|course) ' +
      `(?:of experience )?(?:in|of|with) ${the}${s}`,
    'knows',
    'p',
  ),
  rule(
    `\\b(?:good|great|best|brilliant|better|excellent|hopeless) (?:at|with|in) ${the}${s}`,
    'knows',
    'p',
  ),
  rule(
    `${pa} 's ${few}${s} (?:is|was) (?:very |really |quite )?(?:good|fluent|excellent` +
      '|better|decent|solid|rusty|perfect)',
    'knows',
    'p',
  ),
  rule(`\\bplays? (?:the )?${s}`, 'knows', 'p'),
];

const joint = any(`
  work worked working collaborate collaborated cooperate pair paired maintain wrote write run
  organise organize share build built develop developed renew host publish published research
  researched designed design train prepare prepared teach ran plan lead perform recorded study`);
const withOne = any(`
  works? worked working collaborates? collaborated collaborating cooperates? cooperated partners?
  partnered pairs? paired pairing teams? teamed trains? trained co-writes? co-wrote co-authored
  coauthored plays? sings? performs? performed rehearses? publishes published researches`);
const together: readonly Rule[] = [
  rule(
    `\\b${withOne}(?: [a-z]+){0,3}? (?:together )?(?:closely )?with ${the}${name('po', 'b')}`,
    'collaborates_with',
    'po',
    { confidence: 0.85 },
  ),
  rule(
    `\\b${withOne}(?: (?:in|on|at|about|a|the|[a-z-]+|<[lexod]:\\d+>)){0,5}? with ` +
      `${the}${name('po', 'b')}`,
    'collaborates_with',
    'po',
    { confidence: 0.65 },
  ),
  rule(
    '\\b' +
      `${any('wrote writing built building developed developing runs ran organised organises organized published made recorded designed co-organises founded co-founded leads maintains')}` +
      ` (?:[a-z-]+ |<[oxe]:\\d+> ){0,4}?(?:together )?with ${name('po', 'b')}`,
    'collaborates_with',
    'po',
    { confidence: 0.65 },
  ),
  rule(
    '\\b(?:together|jointly|in partnership|in cooperation|in collaboration|' +
      'partnership|partnering|joint venture|joint project|cooperation|collaboration) ' +
      `with ${the}${name('po', 'b')}`,
    'collaborates_with',
    'po',
  ),
  rule(
    '\\b(?:partnership|collaboration|cooperation|joint venture|joint project|joint ' +
      `[a-z]+) (?:between|of|by) ${name('po', 'a')}`,
    'collaborates_with',
    'po',
    { among: true },
  ),
  rule(`${p} 's ${few}${colleague}${linkTo} ${pa}`, 'collaborates_with', 'p'),
  rule(
    `${pa}(?: is| was| ,)(?: an?| the)? ${p} 's ${few}${colleague}\\b`,
    'collaborates_with',
    'p',
  ),
  rule(`\\b${colleague}s? (?:of|with) ${p}`, 'collaborates_with', 'p'),
  rule(`\\b${colleague}s? ${pa}`, 'collaborates_with', 'p', { among: true, confidence: 0.6 }),
  rule(
    `${name('po', 'a')} (?:[a-z]+ ){0,2}?${joint}\\b(?= [^;]*\\b(?:together|jointly)\\b)`,
    'collaborates_with',
    'po',
    { among: true },
  ),
  rule(
    `${name('po', 'a')} (?:pair|collaborate|cooperate|work together|paired|jointly ` +
      '[a-z]+|co-wrote|co-host|co-authored|are (?:colleagues|co-authors|working on))\\b',
    'collaborates_with',
    'po',
    { among: true },
  ),
];

const held = any(
  'is was takes_place opens starts begins happens runs ends kicks_off will_be ' +
    'will_take_place is_held was_held',
);
const places: readonly Rule[] = [
  rule(
    `\\b(?:lives?|living|resides?|stays?|settled|settles) ${few}(?:in|on|at|near) ${the}${l}`,
    'located_in',
    'p',
    { confidence: 0.9 },
  ),
  rule(`\\b(?:lived|stayed) (?:in|on) ${the}${l}`, 'located_in', 'p', { time: 'was' }),
  rule(
    '\\b(?:based|located|headquartered|seated|sits|situated|stationed|housed) (?:in|' +
      `at|on|near) ${the}${l}`,
    'located_in',
    'pox',
    { confidence: 0.9 },
  ),
  rule(`\\b(?:moved|relocated|emigrated|came) ${few}to ${the}${l}`, 'located_in', 'po', {
    time: 'from',
  }),
  rule(`\\b(?:moved|relocated|emigrated) from ${the}<l:${ids}> to ${the}${l}`, 'located_in', 'po', {
    time: 'from',
  }),
  rule(`\\b(?:works|working) (?:from|out of) ${the}${l}`, 'located_in', 'p', { confidence: 0.7 }),
  rule(
    `\\b(?:rents|rented|owns|has|bought) (?:an? |the |<p:\\d+> 's )(?:[a-z]+ ` +
      `){1,2}(?:in|on) ${the}${l}`,
    'located_in',
    'p',
    { confidence: 0.65 },
  ),
  rule(`${name('po', 'a')} (?:is|are|am) ${now}(?:back )?in ${l}`, 'located_in', 'po', {
    confidence: 0.65,
  }),
  rule(
    `${name('oe', 'a')} 's (?:[a-z]+ )?(?:office|headquarters|hq|seat|shop|garage|` +
      `studio|workshop|building|home) (?:is )?in ${l}`,
    'located_in',
    'oe',
  ),
  rule(`${name('po', 'a')} in ${the}${l}`, 'located_in', 'po', { confidence: 0.65 }),
  rule(`${name('e', 'a')} (?:[a-z]+ ){0,2}?(?:in|at|near|on) ${the}${l}`, 'located_in', 'e', {
    confidence: 0.8,
  }),
  rule(`${name('e', 'a')} (?:,|\\() ${l}`, 'located_in', 'e', { confidence: 0.8 }),
  rule(
    `${name('e', 'a')} (?:[a-z,(]+ ){0,2}?<d:\\d+> (?:, )?(?:in |at |, )${the}${l}`,
    'located_in',
    'e',
    { confidence: 0.8 },
  ),
  rule(
    `\\b${held} (?:on |in |from )?(?:the )?(?:<d:\\d+> )?(?:, )?(?:in|at|near) ${the}${l}`,
    'located_in',
    'e',
    { confidence: 0.8 },
  ),
  rule(`${oa} (?:,|\\() ${l}(?= [.,)]|$)`, 'located_in', 'o', { confidence: 0.65 }),
  rule(`${pa} \\( ${l} \\)`, 'located_in', 'p', { confidence: 0.7 }),
  rule(`<p:\\d+> \\( ${oa} , ${l} \\)`, 'located_in', 'o', { confidence: 0.8 }),
  rule(
    `${pa} (?:from|in|at|of) the ${l} (?:office|branch|team|site|plant|lab|studio)`,
    'located_in',
    'p',
    { confidence: 0.75 },
  ),
  rule(`${pa} from ${l}`, 'located_in', 'p', { confidence: 0.6 }),
  rule(`${pa} , ${l}(?= \\.?$|$)`, 'located_in', 'p', { confidence: 0.6 }),
  rule(`${name('l', 'a')} , ${l}(?= [.)]|$)`, 'located_in', 'l', { confidence: 0.6 }),
];

const drives = any(
  'uses? using relies_on rely_on runs_on drives? rides? flies takes? is_on ' +
    'built_with built_on powered_by runs depends_on written_in deployed_on trains_on',
);
const usage: readonly Rule[] = [
  rule(`\\bswapped (?:[a-z]+ |<p:\\d+> 's )?<x:${ids}> for ${the}${x}`, 'uses', 'po', {
    time: 'from',
  }),
  rule(`\\bswapped (?:[a-z]+ |<p:\\d+> 's )?${x} for`, 'uses', 'po', { time: 'to' }),
  rule(
    `${pa} 's ${few}(?:phone|laptop|car|camera|bike|watch|tablet|guitar|van|piano|` +
      `printer|computer|editor|drill|bus|boat) is (?:a|an|the|still a|now a) ${few}${x}`,
    'uses',
    'p',
  ),
  rule(`\\b${drives} (?:[a-z-]+ ){0,3}?${name('x', 'b')}`, 'uses', 'pox', { confidence: 0.85 }),
  rule(
    '\\b(?:uses?|using|built in|written in|runs on|writes? (?:[a-z]+ ){0,3}?in|' +
      'coded? in|programs? in|scripts? in|ported to|did (?:[a-z]+ ){1,3}in|ran ' +
      `(?:[a-z]+ ){1,3}in) ${few}${s}`,
    'uses',
    'pox',
    { confidence: 0.7 },
  ),
  rule(`\\b(?:switched|moved|migrated|upgraded|changed) ${some}to ${the}${x}`, 'uses', 'po', {
    time: 'from',
  }),
  rule(
    `\\b(?:switched|moved|migrated|changed) (?:over )?from <x:${ids}> to ${the}${x}`,
    'uses',
    'po',
    { time: 'from' },
  ),
  rule(`\\b(?:switched|moved|migrated|changed) (?:over )?from ${the}${x} to`, 'uses', 'po', {
    time: 'to',
  }),
  rule(
    '\\b(?:shoots?|works?|hosts?|deploys?|builds?|trains?|monitors?|writes?|paints?|' +
      'charts?|types?|records?|tested|edits?|keeps?|stores?|tracks?|manages?|plans?|' +
      'draws?|designs?|models?|films?|codes?|logs?|bills?|navigates|sews|prints?|plays?' +
      `|measures?|mixes) ${some}(?:with|on|in|using|via) ${the}${x}`,
    'uses',
    'po',
    { confidence: 0.7 },
  ),
  rule(`\\b(?:has|have|owns?|bought|got) (?:[a-z]+ )?(?:a|an) ${few}${x}`, 'uses', 'p', {
    confidence: 0.6,
  }),
  rule(`${pa} 's ${few}${x}`, 'uses', 'p', { confidence: 0.7 }),
  rule(`\\bused ${the}${x} until`, 'uses', 'po', { time: 'to' }),
  rule(`\\bused to (?:use|drive|run|ride) ${the}${x}`, 'uses', 'po', { time: 'to' }),
];

export const rules: readonly Rule[] = [
  ...employment,
  ...memberships,
  ...people,
  ...skills,
  ...together,
  ...places,
  ...usage,
];
