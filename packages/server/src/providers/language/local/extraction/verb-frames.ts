import { type Frame, ruleOf } from './frames.ts';
import type { Rule } from './rule.ts';

// What verbs say of their subjects and objects, by classes of verbs.

const work: readonly Frame[] = [
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
    verbs: 'join rejoin',
    predicate: 'member',
    subjects: 'p',
    objects: 'o',
    time: 'from',
  },
  {
    verbs: 'lead/led head head_up run/ran manage chair direct oversee/oversaw co-lead/co-led',
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

const ranks: readonly Frame[] = [
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

const places: readonly Frame[] = [
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
    verbs: 'sit/sat operate work stand/stood lie/lay',
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

const usage: readonly Frame[] = [
  {
    verbs: `use utilise utilize adopt deploy favour favor employ operate drive/drove/driven
      ride/rode/ridden fly/flew/flown wear/wore/worn`,
    predicate: 'uses',
    subjects: 'po',
    objects: 'x',
  },
  {
    verbs: `rely depend run/ran standardise standardize settle swear/swore build/built bet/bet
      host sit/sat live train write/wrote/written shoot/shot`,
    links: 'on by upon',
    predicate: 'uses',
    subjects: 'pox',
    objects: 'x',
    confidence: 0.65,
  },
  {
    verbs: 'switch migrate upgrade move convert change change_over/changed_over',
    links: 'to',
    predicate: 'uses',
    subjects: 'po',
    objects: 'x',
    time: 'from',
    across: 'x',
  },
  {
    verbs: `ditch drop abandon scrap stop_using/stopped_using get_rid_of/got_rid_of retire
      give_up/gave_up`,
    predicate: 'uses',
    subjects: 'po',
    objects: 'x',
    time: 'to',
    confidence: 0.65,
  },
  {
    verbs: 'switch migrate move change',
    links: 'from away_from off',
    predicate: 'uses',
    subjects: 'po',
    objects: 'x',
    time: 'to',
  },
  {
    verbs: `work code program write/wrote/written script build/built keep/kept track draw/drew
      design edit record film shoot/shot model paint compose mix plan store manage sketch test
      develop make/made produce cut/cut automate monitor`,
    links: 'in with using on',
    predicate: 'uses',
    subjects: 'pox',
    objects: 'xs',
    confidence: 0.65,
  },
  {
    verbs: 'power back drive/driven run/run',
    links: 'by',
    only: 'participles',
    predicate: 'uses',
    subjects: 'ox',
    objects: 'x',
  },
];

const knowing: readonly Frame[] = [
  {
    verbs: `know/knew/known speak/spoke/spoken master teach/taught
      practise practice read/read do/did coach handle translate interpret cover pick_up/picked_up take_up/took_up understand/understood`,
    predicate: 'knows',
    subjects: 'p',
    objects: 's',
    confidence: 0.8,
  },
  {
    verbs: 'learn/learnt learn/learned study/studied',
    only: 'participles',
    predicate: 'knows',
    subjects: 'p',
    objects: 's',
    confidence: 0.8,
  },
  {
    verbs: 'specialise specialize excel train qualify major certify school',
    links: 'in at',
    predicate: 'knows',
    subjects: 'p',
    objects: 's',
  },
  {
    verbs: `know/knew/known meet/met befriend run_into/ran_into bump_into/bumped_into
      get_to_know/got_to_know`,
    predicate: 'knows',
    subjects: 'p',
    objects: 'p',
  },
  {
    verbs: 'introduce',
    links: 'to',
    only: 'participles',
    predicate: 'knows',
    subjects: 'p',
    objects: 'p',
  },
];

const belonging: readonly Frame[] = [
  {
    verbs: `acquire buy/bought absorb take_over/taken_over swallow_up/swallowed_up own snap_up/snapped_up
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

const kinship: readonly Frame[] = [
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

const joint: readonly Frame[] = [
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

export const verbFrames: readonly Rule[] = [
  ...work,
  ...ranks,
  ...places,
  ...usage,
  ...knowing,
  ...belonging,
  ...kinship,
  ...joint,
].map(ruleOf);
