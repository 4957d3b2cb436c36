import type { FactQuestion } from '../graph/index.ts';

const wordSet = (words: string): ReadonlySet<string> => new Set(words.split(' '));

/** Words that are in no name, as far as a question shows. */
const noNames = wordSet(
  'a an the of is was are were be been being do does did has have had who whom whose what where ' +
    'when which how why in on at to for from by about with and or if i me we us you he him she ' +
    'they them it this that these those there here name tell show find know remind now still ' +
    'currently new old former current present',
);
/** "My sister" is nobody whose name is known. */
const possessives = wordSet('my our your his her their its whose');
const wordsMax = 4;

const subject = '(?:the )?(.{1,60}?)';
const when =
  '(?: (?:now|nowadays|currently|still|today|these days|at the moment|right now|at present|' +
  'presently|previously|formerly|originally|initially|then|used? to))?';
const does = '(?:does|did)';
const is = "(?: is| was|['’]s)";
const which = '(?:what|which)(?: [^ ?]+){0,2}';
/** Nothing but a time may follow a name at the end. */
const end = `(?=${when}[ ?.!,]*$|,? (?:in|on|since|before|after|until|last|at|today|now) )`;

const pets = '(?:pets?|dogs?|cats?)';
/** Questions around a name, with the predicates that answer them: extracted ones, and others. */
const verbForms: readonly (readonly [predicates: string, patterns: readonly string[]])[] = [
  [
    'located_in lives_in',
    [
      `where ${does} ${subject}${when} (?:live|stay|reside|sit|move)`,
      `where(?:${is}| has) ${subject}${when} (?:living|staying|based|located|mov(?:ed|ing))`,
      `where${is} ${subject}${end}`,
      `(?:what|which) (?:city|town|country|village|state|place) (?:does|did|is|was) ` +
        `${subject}${when} (?:live|living|stay|based|located|in)`,
      `(?:does|did|is|was) ${subject}${when} (?:live|living|based|located) in`,
    ],
  ],
  [
    'collaborates_with works_with',
    [`who(?:m)? ${does} ${subject}${when} (?:work|collaborate) with`],
  ],
  [
    'works_at works_for employed_by',
    [
      `where ${does} ${subject}${when} work`,
      `where${is} ${subject}${when} (?:working|employed)`,
      `who(?:m)? ${does} ${subject}${when} work(?: for|[ ?.!]*$)`,
      `who${is} ${subject}${when} (?:working for|employed by)`,
      `(?:what|which) (?:company|employer|firm|organi[sz]ation|business) (?:does|did|is|was) ` +
        `${subject}${when} (?:work|working|employed)`,
      `(?:does|did|is|was) ${subject}${when} (?:work|working|employed) (?:at|for|by)`,
      `who employ(?:s|ed) ${subject}${end}`,
    ],
  ],
  [
    'job_title has_role works_as works_at',
    [`what ${does} ${subject}${when} do for (?:a living|work)`],
  ],
  [
    'reports_to',
    [
      `who(?:m)? ${does} ${subject}${when} (?:report|answer)`,
      `(?:does|did) ${subject}${when} report to`,
      `who (?:manage|supervise|lead)[sd] ${subject}${end}`,
    ],
  ],
  ['knows speaks', [`${which} ${does} ${subject}${when} speak`]],
  ['knows', [`(?:who|${which}) ${does} ${subject}${when} know`]],
  [
    'part_of member_of',
    [
      `(?:what|which) (?:team|group|department|division|band|club) (?:does|did|is|was) ` +
        `${subject}${when} (?:belong|part|in|on|play|a member)`,
    ],
  ],
  [
    'related_to married_to partner_of',
    [`who${is} ${subject}${when} (?:married|engaged|related) to`],
  ],
  ['uses', [`${which} ${does} ${subject}${when} (?:use|run on)`]],
  [
    'allergic_to',
    [
      `(?:what${is}|is|was) ${subject}${when} allergic to`,
      `(?:does|which|what|did) ${subject}${when} have (?:any |an )?(?:food )?allerg(?:y|ies)`,
    ],
  ],
  ['pet has_pet', [`(?:does|did|which|what) ${subject}${when} have (?:any |a )?${pets}`]],
  ['parent_of', [`(?:does|did) ${subject}${when} have (?:any )?(?:kids|children|sons|daughters)`]],
  ['likes loves', [`${which} ${does} ${subject}${when} (?:like|love|enjoy)`]],
  ['dislikes hates', [`${which} ${does} ${subject}${when} (?:dislike|hate)`]],
  ['prefers likes', [`${which} ${does} ${subject}${when} prefer`]],
  ['owns', [`${which} ${does} ${subject}${when} own`]],
  ['owns uses', [`${which} ${does} ${subject}${when} (?:drive|ride)`]],
  [
    'studies studies_at',
    [
      `(?:where|${which}) ${does} ${subject}${when} study`,
      `what${is} ${subject}${when} (?:studying|learning)`,
    ],
  ],
  ['birthday born_on', [`when(?:${is}) ${subject} born`]],
  ['plans', [`what(?:${is}) ${subject}${when} planning`, `what ${does} ${subject}${when} plan`]],
  ['decided', [`(?:what|which) (?:did|has|have) ${subject}${when} (?:decided?|chosen?|choose)`]],
];

/** "Ana's boss" or "the boss of Ana", with the predicates. */
const nouns = new Map<string, readonly string[]>(
  (
    [
      ['address home hometown location', 'located_in lives_in'],
      ['employer company workplace', 'works_at works_for employed_by'],
      ['job role title job_title profession occupation', 'job_title has_role works_as works_at'],
      ['boss manager line_manager supervisor superior team_lead', 'reports_to'],
      ['colleague colleagues collaborator collaborators', 'collaborates_with works_with'],
      ['team department group division parent_company', 'part_of member_of'],
      ['wife husband spouse partner girlfriend boyfriend', 'related_to married_to partner_of'],
      ['mother father mum mom dad parent parents', 'related_to child_of'],
      ['son sons daughter daughters child children kid kids', 'related_to parent_of'],
      ['sister sisters brother brothers sibling siblings', 'related_to sibling_of'],
      ['allergy allergies', 'allergic_to'],
      ['birthday date_of_birth', 'birthday born_on'],
      ['pet pets dog dogs cat cats', 'pet has_pet'],
      ['car bike laptop phone', 'owns uses'],
      ['plan plans', 'plans'],
      ['decision decisions', 'decided'],
      ['preference preferences', 'prefers likes dislikes'],
      ['hobby hobbies interest interests', 'likes'],
      ['major subject', 'studies'],
    ] as const
  ).flatMap(([names, predicates]) =>
    names.split(' ').map((name) => [name, predicates.split(' ')] as const),
  ),
);

const verbPatterns = verbForms.flatMap(([predicates, patterns]) =>
  patterns.map((pattern) => ({
    predicates: predicates.split(' '),
    pattern: new RegExp(`(?:^| )${pattern}(?![^ ?.!,])`, 'i'),
  })),
);
/** A noun and its owner are what is asked for, not what somebody does with it. */
const nothingElse = `(?:${end}|(?=[?.!,;] ))`;
const noun = '((?:[a-z]+ ){0,2}?[a-z]+)';
const adjectives = 'current|present|new|old|former|previous|first|last';
const ofOwner = new RegExp(`(?:^| )${noun} of ${subject}${nothingElse}`, 'i');
const ownedNoun = new RegExp(
  `^(?:(?:${adjectives}) )?${noun}(?:['’]s?)?(?: (?:names?|called))?${nothingElse}`,
  'i',
);
/** Words of a question before what it asks for. */
const introductions = wordSet(
  'who whos what whats where wheres when which is are was were be of as in on at since and or so ' +
    'the name do does you know have can could please hi hey tell show give get find remind look ' +
    `up need want i me us about now then ${adjectives.replaceAll('|', ' ')}`,
);

/** No question is longer. */
const charactersMax = 200;

/** The subject and the predicates that an English question asks for; null: none that is known. */
export function parseFactQuestion(text: string): FactQuestion | null {
  const question = text.replaceAll(/["“”]/g, '').replaceAll(/\s+/g, ' ').trim();
  if (question.length > charactersMax) return null;
  const parsed = parseOwnQuestion(question) ?? parseNamed(question);
  return parsed !== null && ofUser.test(parsed.subject ?? '')
    ? { ...parsed, subject: null }
    : parsed;
}

const parseNamed = (question: string): FactQuestion | null =>
  parseOwned(question) ?? parseOwner(question) ?? parseVerb(question);

/** What others call whoever asks. */
const ofUser = /^(?:the )?user$/i;

/** "Where do I live?" is asked as of somebody of this name. */
const asker = 'Qxasker';
const toThirdPerson: readonly (readonly [RegExp, string])[] = [
  [/\bdo (?:I|we)(?![’'\p{L}])/giu, `does ${asker}`],
  [/\b(?:am|are|was|were) (?:I|we)(?![’'\p{L}])/giu, `is ${asker}`],
  [/\b(did|have|had) (?:I|we)(?![’'\p{L}])/giu, `$1 ${asker}`],
  [/\b(?:my|our) /giu, `${asker}'s `],
];

/** A question of the person who asks, about themselves. */
function parseOwnQuestion(question: string): FactQuestion | null {
  const asked = toThirdPerson.reduce(
    (plain, [pattern, instead]) => plain.replace(pattern, instead),
    question,
  );
  if (asked === question) return null;
  const parsed = parseNamed(asked);
  return parsed?.subject === asker ? { ...parsed, subject: null } : null;
}

function parseVerb(question: string): FactQuestion | null {
  for (const { predicates, pattern } of verbPatterns) {
    const named = wholeName(pattern.exec(question)?.[1]);
    if (named !== null) return { subject: named, predicates };
  }
  return null;
}

/** "Ana's new boss" */
function parseOwned(question: string): FactQuestion | null {
  for (const { index, 0: mark } of question.matchAll(/['’]s? /g)) {
    const words = question.slice(0, index).split(' ');
    const name = nameAtEnd(words);
    const isAsked = name.length > 0 && introduces(words.slice(0, -name.length));
    const named = isAsked ? ownedNoun.exec(question.slice(index + mark.length))?.[1] : undefined;
    const predicates = predicatesOf(named ?? '');
    if (predicates) return { subject: name.join(' '), predicates };
  }
  return null;
}

/** "the boss of Ana" */
function parseOwner(question: string): FactQuestion | null {
  const match = ofOwner.exec(question);
  if (!match) return null;
  const words = (match[1] ?? '').split(' ');
  const named = wholeName(match[2]);
  const before = question.slice(0, match.index).split(' ');
  for (let from = 0; from < words.length && named !== null; from += 1) {
    const predicates = predicatesOf(words.slice(from).join(' '));
    if (predicates && introduces([...before, ...words.slice(0, from)])) {
      return { subject: named, predicates };
    }
  }
  return null;
}

const predicatesOf = (words: string): readonly string[] | undefined =>
  nouns.get(words.toLowerCase().replaceAll(' ', '_'));

/** Whether words lead to what a question asks for. Before a comma or full stop may be any. */
function introduces(words: readonly string[]): boolean {
  const start = words.findLastIndex((word) => /[.,;:?!]$/.test(word)) + 1;
  return words.slice(start).every((word) => {
    const plain = word.toLowerCase().replaceAll(/['’]/g, '');
    return plain === '' || introductions.has(plain) || /^\d+$/.test(plain);
  });
}

function wholeName(text: string | undefined): string | null {
  const words = text?.split(' ') ?? [];
  return words.length > 0 && nameAtEnd(words).length === words.length ? words.join(' ') : null;
}

/** The last words that may be a name. */
function nameAtEnd(words: readonly string[]): readonly string[] {
  const others = words.findLastIndex((word) => {
    const plain = word.toLowerCase().replace(/['’]s$/, '');
    return plain === '' || noNames.has(plain) || possessives.has(plain) || /[?!,;:()]/.test(plain);
  });
  return words.slice(Math.max(others + 1, words.length - wordsMax));
}
