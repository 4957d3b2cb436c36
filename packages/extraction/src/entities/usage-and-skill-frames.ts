import type { VerbFrame } from './verb-frame.ts';

// Frames for the use of tools, and for what and whom people know.

const usage: readonly VerbFrame[] = [
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

const knowing: readonly VerbFrame[] = [
  {
    verbs: `know/knew/known speak/spoke/spoken master teach/taught
      practise practice read/read do/did/done coach handle translate interpret cover
      pick_up/picked_up take_up/took_up understand/understood`,
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

export const usageAndSkillFrames: readonly VerbFrame[] = [...usage, ...knowing];
