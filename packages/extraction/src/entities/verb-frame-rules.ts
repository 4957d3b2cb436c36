import type { FactRule } from './rule.ts';
import { usageAndSkillFrames } from './usage-and-skill-frames.ts';
import { frameToFactRule, type VerbFrame } from './verb-frame.ts';

// Frames of verbs with their subjects and objects, by verb class.

const work: readonly VerbFrame[] = [
  {
    verbs: `work serve intern teach/taught practise practice volunteer consult freelance lecture
      temp moonlight apprentice toil clerk nurse cook train research code cater drive/drove/driven
      write/wrote/written report fly/flew/flown`,
    links: 'at for',
    predicate: 'member',
    subjects: 'p',
    objects: 'o',
    across: 'xls',
  },
  {
    verbs: `begin/began/begun start land/landed get_a_job/got_a_job sign_on sign_up sign
      take_a_job/took_a_job take_a_post/took_a_post`,
    links: 'at with for',
    predicate: 'member',
    subjects: 'p',
    objects: 'o',
    time: 'from',
  },
  {
    verbs: 'serve stay volunteer intern be_employed/employed',
    links: 'with',
    predicate: 'member',
    subjects: 'p',
    objects: 'o',
  },
  {
    verbs: 'join rejoin leave/left_for leave/left_to_join',
    predicate: 'member',
    subjects: 'p',
    objects: 'o',
    time: 'from',
  },
  {
    verbs:
      'lead/led head head_up run/ran manage chair direct oversee/oversaw co-lead/co-led advise',
    predicate: 'member',
    subjects: 'p',
    objects: 'o',
  },
  {
    verbs: 'lead/led head head_up run/ran manage chair direct',
    links: 'at for of',
    predicate: 'works_at',
    subjects: 'p',
    objects: 'o',
    across: 'o',
    confidence: 0.65,
  },
  {
    verbs: `wait sell/sold clean mend fix edit design build/built do/did handle make/made tend
      guard play mix sew/sewed look_after/looked_after grade stack deliver plan coordinate`,
    links: 'at for',
    predicate: 'works_at',
    subjects: 'p',
    objects: 'o',
    confidence: 0.6,
  },
  {
    verbs: 'second assign loan post attach promote',
    links: 'to',
    only: 'participles',
    predicate: 'member',
    subjects: 'p',
    objects: 'o',
  },
  {
    verbs: 'leave/left quit/quit depart exit ditch',
    predicate: 'member',
    subjects: 'p',
    objects: 'o',
    time: 'to',
  },
  {
    verbs: `retire resign depart walk_away/walked_away walk_out/walked_out step_down/stepped_down
      come_over/came_over come_across/came_across hail bow_out/bowed_out be_fired/was_fired
      be_laid_off/was_laid_off be_sacked/was_sacked be_dismissed/was_dismissed
      be_poached/was_poached join_us/joined_us transfer defect`,
    links: 'from',
    predicate: 'member',
    subjects: 'p',
    objects: 'o',
    time: 'to',
  },
  {
    verbs: 'run/run lead/led head manage direct chair oversee/overseen',
    links: 'by',
    only: 'participles',
    predicate: 'member',
    subjects: 'o',
    objects: 'p',
    turned: true,
  },
  {
    verbs: 'sign',
    predicate: 'member',
    subjects: 'o',
    objects: 'p',
    turned: true,
    time: 'from',
  },
  {
    verbs: `hire employ recruit appoint take_on/taken_on/took_on bring_in/brought_in
      poach engage retain`,
    predicate: 'works_at',
    subjects: 'o',
    objects: 'p',
    turned: true,
    time: 'from',
  },
  {
    verbs: 'hire employ recruit appoint sign take_on/taken_on poach elect headhunt',
    links: 'by at',
    only: 'participles',
    predicate: 'member',
    subjects: 'p',
    objects: 'o',
  },
];

const ranks: readonly VerbFrame[] = [
  {
    verbs: 'report answer',
    links: 'to',
    predicate: 'reports_to',
    subjects: 'p',
    objects: 'p',
    confidence: 0.85,
  },
  {
    verbs: 'work serve',
    links: 'under',
    predicate: 'reports_to',
    subjects: 'p',
    objects: 'p',
  },
  {
    verbs: 'manage supervise line-manage oversee/overseen boss',
    links: 'by',
    only: 'participles',
    predicate: 'reports_to',
    subjects: 'p',
    objects: 'p',
  },
  {
    verbs: 'supervise manage line-manage oversee/oversaw boss',
    predicate: 'reports_to',
    subjects: 'p',
    objects: 'p',
    turned: true,
  },
];

const places: readonly VerbFrame[] = [
  {
    verbs: 'live reside settle dwell lodge settle_down/settled_down',
    links: 'in on near at',
    predicate: 'located_in',
    subjects: 'p',
    objects: 'l',
    across: 'p',
    confidence: 0.8,
  },
  {
    verbs: `base headquarter situate locate station house seat domicile incorporate register
      quarter`,
    links: 'in on near at out_of',
    only: 'participles',
    predicate: 'located_in',
    subjects: 'pox',
    objects: 'l',
    confidence: 0.8,
  },
  {
    verbs: 'sit/sat operate work stand/stood lie/lay broadcast/broadcast trade stream commute',
    links: 'in out_of from near',
    predicate: 'located_in',
    subjects: 'pol',
    objects: 'l',
    confidence: 0.65,
    across: 'o',
  },
  {
    verbs: 'relocate move emigrate immigrate resettle',
    links: 'to',
    predicate: 'located_in',
    subjects: 'po',
    objects: 'l',
    time: 'from',
    across: 'lp',
  },
  {
    verbs: 'take_place/took_place happen open kick_off/kicked_off start begin/began run/ran',
    links: 'in at near on',
    predicate: 'located_in',
    subjects: 'e',
    objects: 'l',
  },
  {
    verbs: 'hold/held host stage celebrate',
    links: 'in at near on',
    only: 'participles',
    predicate: 'located_in',
    subjects: 'e',
    objects: 'l',
  },
];

const belonging: readonly VerbFrame[] = [
  {
    verbs: `acquire buy/bought absorb take_over/taken_over swallow_up/swallowed_up own
      snap_up/snapped_up
      gobble_up/gobbled_up purchase`,
    links: 'by',
    only: 'participles',
    predicate: 'part_of',
    subjects: 'o',
    objects: 'o',
  },
  {
    verbs: 'acquire buy/bought absorb take_over/took_over swallow/swallowed own purchase',
    predicate: 'part_of',
    subjects: 'o',
    objects: 'o',
    turned: true,
  },
  {
    verbs: 'belong merge fold integrate',
    links: 'to into',
    predicate: 'part_of',
    subjects: 'ox',
    objects: 'o',
  },
  {
    verbs: `play sing/sang row/rowed drum dance captain coach perform`,
    links: 'in for with',
    predicate: 'part_of',
    subjects: 'p',
    objects: 'o',
    across: 's',
  },
];

const kinship: readonly VerbFrame[] = [
  {
    verbs: 'rent lodge babysit/babysat sublet/sublet',
    links: 'from for with',
    predicate: 'related_to',
    subjects: 'p',
    objects: 'p',
  },
  {
    verbs: 'marry wed/wed divorce adopt date raise',
    predicate: 'related_to',
    subjects: 'p',
    objects: 'p',
  },
  {
    verbs: 'marry engage',
    links: 'to',
    only: 'participles',
    predicate: 'related_to',
    subjects: 'p',
    objects: 'p',
  },
  {
    verbs: 'found co-found cofound establish set_up/set_up start_up/started_up',
    predicate: 'related_to',
    subjects: 'p',
    objects: 'o',
  },
];

const joint: readonly VerbFrame[] = [
  {
    verbs: `work collaborate cooperate partner partner_up/partnered_up pair pair_up/paired_up
      team team_up/teamed_up join_forces/joined_forces co-write/co-wrote publish research tour
      record perform co-author co-design co-host liaise`,
    links: 'with alongside',
    predicate: 'collaborates_with',
    subjects: 'po',
    objects: 'po',
    across: 'xs',
    confidence: 0.7,
  },
];

export const verbFrameRules: readonly FactRule[] = [
  ...work,
  ...ranks,
  ...places,
  ...usageAndSkillFrames,
  ...belonging,
  ...kinship,
  ...joint,
].map(frameToFactRule);
