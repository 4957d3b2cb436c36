import { anyOf } from './phrases.ts';

/** What passes: a state of the day, not a standing fact. */
const passing = anyOf(
  '\\b(?:today|tonight|yesterday|tomorrow|this (?:morning|afternoon|evening|week|time)|at the moment|just now|currently on|(?:hours?|minutes?|days?) ago|an hour ago|finally|still waiting)\\b',
  '.\\bright now\\b',
  "(?:\\b(?:is|are|am|was|were)|['’](?:m|s|re)) (?:being|so|too|very|really|not working|broken|failing|delayed|late|asleep|awake|sick|ill|slow|down|stuck|empty|full|ready|wrong|gone|missing|tired|busy|here|back|done|fine|good|great|okay|ok|sure|sorry|glad|happy|sad|angry|curious|confused|hungry|thirsty|excited|worried|afraid|lost|new to|trying|looking|getting|thinking|wondering|asking|having|going|afraid|interested|stressed|bored)\\b",
);
/** Nouns that "I have" and "my" join without a fact about somebody. */
const talk =
  'time|questions?|problems?|issues?|ideas?|feelings?|doubts?|look|looks|point|points|guess|mistake|bad|request|concern|concerns|suggestion|thoughts?|favou?r|code|error|errors|bug|fault|task|answer|response|message|input|output|luck|trouble|minute|moment|chance|clue|keys?|headache|cold';

const article = '(?:a|an|the|one of the)';
const be = "(?:['’]m| am| was|['’]re| are| were)";
const traits =
  'vegetarian|vegan|pescatarian|allergic|intolerant|married|divorced|single|engaged|widowed|retired|colou?r-?blind|left-handed|right-handed|diabetic|pregnant|deaf|blind|dyslexic|autistic|asthmatic|celiac|coeliac|jewish|muslim|christian|catholic|hindu|buddhist|freelance|self-employed|unemployed|bilingual|lactose|based|located|from|originally|responsible for|in charge of|head of|born';
const nationality = '\\p{Lu}\\p{Ll}+(?:ese|ish|ian|an|ch|ic|i)';

const stative =
  'live|work|own|use|speak|play|teach|study|run|manage|lead|report|sell|deploy|host|store|rent|drive|cycle|commute|wear|belong|practi[cs]e|coach|volunteer|grow|raise|train|support|employ|attend|earn|suffer|share|breed|collect|sing|paint|weigh|develop|maintain|supply|operate|build|serve|smoke|write|sleep|wake up|get up|swim|code|program|invest|consult|design|produce|offer|charge|pay|keep|follow|identify|specialize|specialise';
const frequency = '(?:(?:now|also|currently|mainly|mostly|both|still|often|only|each|all) )*';
const negated = 'own|have|drink|eat|use|drive|smoke|work|speak|live|wear|do|take|play|buy|support';
const since = '(?:since|for|at|in|as|with|on)';
const biography =
  "(?:was|were|got) (?:born|raised|married|divorced|diagnosed|promoted|adopted|hired)|grew up|graduated|studied|moved (?:to|from|here|in|out)|married|retired|joined|founded|co-founded|started (?:working|a new|at|my|our)|quit|served|(?:['’]ve|have) been diagnosed|adopted|majored";

const self = anyOf(
  `^(?:i|we)${be} ${frequency}${article} (?!(?:bit|little|lot|one|same|mess|moment|few|while|way|big fan)\\b)[\\p{L}-]`,
  `^(?:i|we)${be} (?:\\w+ )?(?:${traits})\\b`,
  `^(?:i|we)${be} \\d{1,3}(?:[.!]?$| years?\\b)`,
  `^(?:i|we) ${frequency}(?:${stative})\\b(?! (?:it|that|this)\\b)`,
  `^(?:i|we) (?:don['’]?t|do not) (?:${negated})\\b (?!(?:it|that|this|to|any ${talk}|(?:a |an )?(?:${talk}))\\b)`,
  `^(?:i|we) take \\d`,
  `^(?:i|we)(?: ${frequency}| )(?:have|['’]ve got) (?!(?:(?:a|an|the|some|any|no|another|one|two|more|many) )?(?:\\w+ )?(?:${talk})\\b)(?!(?:to|been|not|just|already|never|had)\\b)(?!\\w+ed\\b)`,
  `^(?:i|we)['’]ve got (?!(?:(?:a|an|the|some|no|another) )?(?:\\w+ )?(?:${talk})\\b)(?!to\\b)`,
  `^(?:i|we)(?:['’]ve| have) (?:been|worked|lived|used|had|owned|known|played|taught|served|run)\\b.* ${since}\\b`,
  `^(?:i|we) ${frequency}(?:just |recently |originally )*(?:${biography})\\b`,
  `^(?:i|we) worked (?:at|for|as)\\b`,
  `^(?:i|we) lived in \\p{Lu}`,
);
/** As patterns with capital letters. */
const selfNamed = new RegExp(
  `^(?:I|We)(?:['’]m| am|['’]re| are) (?:(?:half|originally|part) )?(?:${nationality})\\b`,
  'u',
);

const does =
  'is|are|was born|were born|has|have|lives?|works?|goes to|go to|speaks?|stud(?:y|ies)|teach(?:es)?|plays?|owns?|runs?|uses?|likes?|loves?|hates?|prefers?|eats?|died|graduated|moved to|turns?|started|attends?|manages?|leads?|reports to|starts?|begins?|ends?|closes?|opens?|expires?|rotates?|costs?|contains?|supports?|drinks?|knows?|owe|needs';
const possessed = anyOf(
  `^(?:my|our) (?!(?:${talk})\\b)(?:[\\p{L}\\p{N}'’.&-]+ ){1,5}(?:${does})\\b`,
  `^(?:my|our) (?!(?:${talk})\\b)[\\p{L}'’-]+['’]s [\\p{L} ]{1,30} (?:is|are)\\b`,
);
const someone =
  '(?:lives?|works?|goes to|speaks|studies|teaches|plays|owns|runs|manages|leads|reports to|graduated|moved to|likes|loves|hates|prefers|uses|was born|has (?:a|an|two|three|four)\\b|is (?:our|my|the|a|an|from|based|allergic|married|vegan|vegetarian|responsible|in charge|\\d))';
const pronoun = anyOf(
  `^(?:he|she|they)(?: ${frequency}| )${someone}`,
  "^(?:he|she)['’]s (?:a|an|our|my|from|the|allergic|married) ",
);
const named = new RegExp(
  "^\\p{Lu}[\\p{Ll}\\p{Lu}’'-]+(?: \\p{Lu}[\\p{L}’'-]+)* " +
    '(?:(?:is|are) (?:our|my|the (?:new )?\\p{Ll}+ (?:of|for)|responsible|in charge|allergic|married)|' +
    'lives? in|works? (?:at|for|as|in|from|with|on)|owns|reports to|manages|leads|speaks|prefers|teaches)\\b',
  'u',
);
const nameOf = /^\p{Lu}[\p{L}’-]*['’]s [\p{L} -]{2,30} (?:is|are|lives|works|has|starts|was)\b/u;
const thing = anyOf(
  "^(?:the|all|every) (?:[\\p{L}\\p{N}'’./-]+ ){1,5}(?:runs?|rotates?|lives? (?:in|on|at)|belongs? to|expires?|costs?|uses?|is (?:called|named|hosted|written in|stored|based|located|at|in|on|due|owned by|maintained by)|starts? (?:at|on)|ends? (?:at|on)|has \\d|have \\d)\\b",
  "^the [\\p{L}]+['’]s [\\p{L} ]{1,30} (?:is|are)\\b",
);

/** Whether a sentence states something about the speaker, or others, that lasts. */
export function isFact(text: string): boolean {
  const isOpen = !passing.test(text);
  return (
    isOpen &&
    (self.test(text) ||
      selfNamed.test(text) ||
      possessed.test(text) ||
      pronoun.test(text) ||
      isNamed(text) ||
      thing.test(text))
  );
}

/** Words that begin a sentence with a capital letter and are no names. */
const noNames =
  /^(?:It|This|That|These|Those|There|What|Here|Everything|Nothing|Someone|Everyone|Nobody|Today|Yesterday|Tomorrow|Now|Then|Yes|No|Please|Thanks|And|But|So|If|When|While|Who|You|Your|I|We|The|Let|Somebody|Python|Java)\b/u;
const isNamed = (text: string): boolean =>
  !noNames.test(text) && (named.test(text) || nameOf.test(text));
