import { anyOf, pattern } from './phrases.ts';

/** "is late", "'m tired". */
const passingState = pattern`
  being|so|too|very|really|not working|broken|failing|delayed|late|asleep|awake|sick|ill|slow|down|
  stuck|empty|full|ready|wrong|gone|missing|tired|busy|here|back|done|fine|good|great|okay|ok|sure|
  sorry|glad|happy|sad|angry|curious|confused|hungry|thirsty|excited|worried|afraid|lost|new to|
  trying|looking|getting|thinking|wondering|asking|having|going|afraid|interested|stressed|bored`;
/** What passes: a state of the day, not a standing fact. */
const passing = anyOf(
  pattern`\b(?:
    today|tonight|yesterday|tomorrow|this (?:morning|afternoon|evening|week|time)|at the moment|
    just now|currently on|(?:hours?|minutes?|days?) ago|an hour ago|finally|still waiting
  )\b`,
  pattern`.\bright now\b`,
  pattern`(?:\b(?:is|are|am|was|were)|['’](?:m|s|re)) (?:${passingState})\b`,
);
/** Nouns that "I have" and "my" join without a fact about somebody. */
const talk = pattern`
  time|questions?|problems?|issues?|ideas?|feelings?|doubts?|look|looks|point|points|guess|mistake|
  bad|request|concern|concerns|suggestion|thoughts?|favou?r|code|error|errors|bug|fault|task|answer|
  response|message|input|output|luck|trouble|minute|moment|chance|clue|keys?|headache|cold`;

const article = '(?:a|an|the|one of the)';
const be = "(?:['’]m| am| was|['’]re| are| were)";
const traits = pattern`
  vegetarian|vegan|pescatarian|allergic|intolerant|married|divorced|single|engaged|widowed|retired|
  colou?r-?blind|left-handed|right-handed|diabetic|pregnant|deaf|blind|dyslexic|autistic|asthmatic|
  celiac|coeliac|jewish|muslim|christian|catholic|hindu|buddhist|freelance|self-employed|
  unemployed|bilingual|lactose|based|located|from|originally|responsible for|in charge of|head of|
  born`;
const nationality = pattern`\p{Lu}\p{Ll}+(?:ese|ish|ian|an|ch|ic|i)`;

const stative = pattern`
  live|work|own|use|speak|play|teach|study|run|manage|lead|report|sell|deploy|host|store|rent|drive|
  cycle|commute|wear|belong|practi[cs]e|coach|volunteer|grow|raise|train|support|employ|attend|earn|
  suffer|share|breed|collect|sing|paint|weigh|develop|maintain|supply|operate|build|serve|smoke|
  write|sleep|wake up|get up|swim|code|program|invest|consult|design|produce|offer|charge|pay|keep|
  follow|identify|specialize|specialise`;
const frequency = '(?:(?:now|also|currently|mainly|mostly|both|still|often|only|each|all) )*';
const negated = 'own|have|drink|eat|use|drive|smoke|work|speak|live|wear|do|take|play|buy|support';
const since = '(?:since|for|at|in|as|with|on)';
const biography = pattern`
  (?:was|were|got) (?:born|raised|married|divorced|diagnosed|promoted|adopted|hired)|
  grew up|graduated|studied|moved (?:to|from|here|in|out)|married|retired|joined|founded|
  co-founded|started (?:working|a new|at|my|our)|quit|served|
  (?:['’]ve|have) been diagnosed|adopted|majored`;
/** "I'm a bit", "I am the one". */
const noRole = pattern`
  (?!(?:bit|little|lot|one|same|mess|moment|few|while|way|big fan)\b)`;
/** "I have an idea", "I've got another question". */
const noTalk = pattern`
  (?!(?:(?:a|an|the|some|any|no|another|one|two|more|many) )?(?:\w+ )?(?:${talk})\b)`;
/** "I don't have time", "I don't use it". */
const noTrifle = pattern`(?!(?:it|that|this|to|any ${talk}|(?:a |an )?(?:${talk}))\b)`;
/** "I have seen": a perfect, not a possession. */
const noParticiple = pattern`(?!(?:to|been|not|just|already|never|had)\b)(?!\w+ed\b)`;

const self = anyOf(
  pattern`^(?:i|we)${be} ${frequency}${article} ${noRole}[\p{L}-]`,
  pattern`^(?:i|we)${be} (?:\w+ )?(?:${traits})\b`,
  pattern`^(?:i|we)${be} \d{1,3}(?:[.!]?$| years?\b)`,
  pattern`^(?:i|we) ${frequency}(?:${stative})\b(?! (?:it|that|this)\b)`,
  pattern`^(?:i|we) (?:don['’]?t|do not) (?:${negated})\b ${noTrifle}`,
  pattern`^(?:i|we) take \d`,
  pattern`^(?:i|we)(?: ${frequency}| )(?:have|['’]ve got) ${noTalk}${noParticiple}`,
  pattern`^(?:i|we)['’]ve got (?!(?:(?:a|an|the|some|no|another) )?(?:\w+ )?(?:${talk})\b)(?!to\b)`,
  pattern`^(?:i|we)(?:['’]ve| have) (?:
    been|worked|lived|used|had|owned|known|played|taught|served|run
  )\b.* ${since}\b`,
  pattern`^(?:i|we) ${frequency}(?:just |recently |originally )*(?:${biography})\b`,
  pattern`^(?:i|we) worked (?:at|for|as)\b`,
  pattern`^(?:i|we) lived in \p{Lu}`,
);
/** As patterns with capital letters. */
const selfNamed = new RegExp(
  pattern`
    ^(?:I|We)(?:['’]m| am|['’]re| are) (?:(?:half|originally|part) )?(?:${nationality})\b`,
  'u',
);

const does = pattern`
  is|are|was born|were born|has|have|lives?|works?|goes to|go to|speaks?|stud(?:y|ies)|teach(?:es)?|
  plays?|owns?|runs?|uses?|likes?|loves?|hates?|prefers?|eats?|died|graduated|moved to|turns?|
  started|attends?|manages?|leads?|reports to|starts?|begins?|ends?|closes?|opens?|expires?|
  rotates?|costs?|contains?|supports?|drinks?|knows?|owe|needs`;
const possessed = anyOf(
  pattern`^(?:my|our) (?!(?:${talk})\b)(?:[\p{L}\p{N}'’.&-]+ ){1,5}(?:${does})\b`,
  pattern`^(?:my|our) (?!(?:${talk})\b)[\p{L}'’-]+['’]s [\p{L} ]{1,30} (?:is|are)\b`,
);
const someone = pattern`(?:
  lives?|works?|goes to|speaks|studies|teaches|plays|owns|runs|manages|leads|reports to|graduated|
  moved to|likes|loves|hates|prefers|uses|was born|has (?:a|an|two|three|four)\b|
  is (?:
    our|my|the|a|an|from|based|allergic|married|vegan|vegetarian|responsible|in charge|\d
  )
)`;
const pronoun = anyOf(
  pattern`^(?:he|she|they)(?: ${frequency}| )${someone}`,
  pattern`^(?:he|she)['’]s (?:a|an|our|my|from|the|allergic|married) `,
);
const named = new RegExp(
  pattern`^\p{Lu}[\p{Ll}\p{Lu}’'-]+(?: \p{Lu}[\p{L}’'-]+)* (?:
    (?:is|are) (?:
      our|my|the (?:new )?\p{Ll}+ (?:of|for)|responsible|in charge|allergic|married
    )|
    lives? in|works? (?:at|for|as|in|from|with|on)|owns|reports to|manages|leads|speaks|prefers|
    teaches
  )\b`,
  'u',
);
const nameOf = /^\p{Lu}[\p{L}’-]*['’]s [\p{L} -]{2,30} (?:is|are|lives|works|has|starts|was)\b/u;
/** What a thing at work is: "The staging server is hosted in Frankfurt." */
const condition = pattern`
  called|named|hosted|written in|stored|based|located|at|in|on|due|owned by|maintained by`;
const thing = anyOf(
  pattern`^(?:the|all|every) (?:[\p{L}\p{N}'’./-]+ ){1,5}(?:
    runs?|rotates?|lives? (?:in|on|at)|belongs? to|expires?|costs?|uses?|is (?:${condition})|
    starts? (?:at|on)|ends? (?:at|on)|has \d|have \d
  )\b`,
  pattern`^the [\p{L}]+['’]s [\p{L} ]{1,30} (?:is|are)\b`,
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
const noNames = new RegExp(
  pattern`^(?:
    It|This|That|These|Those|There|What|Here|Everything|Nothing|Someone|Everyone|Nobody|Today|
    Yesterday|Tomorrow|Now|Then|Yes|No|Please|Thanks|And|But|So|If|When|While|Who|You|Your|I|We|
    The|Let|Somebody|Python|Java
  )\b`,
  'u',
);
const isNamed = (text: string): boolean =>
  !noNames.test(text) && (named.test(text) || nameOf.test(text));
