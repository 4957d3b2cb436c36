import type { StatementKind } from '../types.ts';
import { isFact } from './facts.ts';
import { anyOf, pattern, timePhrase } from './phrases.ts';

const maxCharacters = 400;
const wordsMin = 3;

/** Questions without a question mark. */
export const question = anyOf(
  pattern`^(?:
    can|could|would|will|do|does|did|is|are|am|was|were|should|shall|may|has
  ) (?:
    you|i|we|it|there|this|that|they|he|she|the|my|your|anyone|somebody
  )\b`,
  pattern`^(?:what|how|why|where|who|whose|which)\b`,
  pattern`^any (?:idea|ideas|chance|tips)\b`,
  pattern`^when (?:is|are|do|does|did|will|can|was)\b`,
);
export const hedged = anyOf(
  pattern`\b(?:maybe|perhaps|probably|possibly|presumably|apparently)\b`,
  pattern`\b(?:i|we) (?:
    think|guess|suppose|wonder|hope|wish|assume|believe|feel like|doubt|imagine
  )\b`,
  pattern`\b(?:might|could)\b`,
  pattern`\bnot sure\b`,
  pattern`\bdon['’]?t know (?:if|whether|what|how|why)\b`,
  pattern`\b(?:seems?|seemed|sounds? like|looks? like)\b`,
);
/** Not the month. */
const may = /(?<!\b(?:in|by|until|from|to|of|this|next) )\bmay\b/u;
export const hypothetical = anyOf(
  pattern`^(?:
    if|suppose|supposing|imagine|assume|assuming|hypothetically|say|what if|in case|unless
  )\b`,
  pattern`^let['’]?s (?:say|assume|imagine|pretend|suppose)\b`,
  pattern`\bif (?:i|we|you|he|she|it|they) (?:were|was|had|could|didn['’]?t|\w+ed)\b`,
  pattern`\b(?:would|should)\b(?! (?:rather|prefer))`,
  pattern`\b(?:i|we|he|she|they|it)['’]d (?!rather|prefer)`,
);

/** What is liked: no pronoun, which only the conversation explains. */
const object = pattern`(?!(?:it|that|this|them|him|her|you|your|the idea|how|where)\b)`;
const adverbs = pattern`(?:(?:
  really|absolutely|just|also|do|still|usually|generally|definitely|truly|much|strongly
) )*`;
/** "I never said": a report, not a habit. */
const pastVerb = pattern`
  said|thought|knew|saw|heard|got|had|meant|went|did|was|were|been|told|wanted|understood|mind|
  \w+ed`;
const preference = anyOf(
  pattern`\b(?:i|we) ${adverbs}(?:
    like|love|enjoy|adore|hate|dislike|detest|loathe|favou?r|(?:can['’]?t|cannot|can not) stand
  ) ${object}`,
  pattern`\b(?:i|we) ${adverbs}prefer\b`,
  pattern`
    \b(?:i|we) (?:don['’]?t|do not) (?:really )?(?:like|love|enjoy|care for|want to be) \w`,
  pattern`\b(?:i|we)(?:['’]d| would) (?:much )?(?:rather|prefer)\b`,
  pattern`\b(?:my|our) (?:all-time )?(?:favou?rite|preferred)\b.* (?:is|are)\b`,
  pattern`^(?:i|we)(?:['’]m| am|['’]re| are) (?:not )?(?:really )?
    (?:a |an )?(?:big |huge |great )?(?:fans? of|fond of|keen on|partial to)\b`,
  pattern`^(?:i|we) (?:
    always|never|usually|normally|generally|typically|only|tend to|mostly|try to avoid|avoid
  ) (?!(?:${pastVerb})\b)\w`,
);
/** "Don't worry": a phrase of the conversation, not a lasting instruction. */
const phraseVerb = pattern`
  worry|forget|bother|mind|ask|know|think|care|get me wrong|be|you|we|let|hesitate|wait|give up|
  stop`;
const instruction = anyOf(
  pattern`^(?:please )?(?:always|never) \w`,
  pattern`^(?:please,? )?(?:from now on|in (?:the )?future|going forward)\b`,
  pattern`\bfrom now on\b`,
  pattern`^(?:please )?(?:don['’]?t|do not|avoid) (?!(?:${phraseVerb})\b)
    (?!.*\b(?:yet|now|again|this time|here)\b)\w`,
);
const nickname = /^(?:please )?(?:[Cc]all me|I go by) \p{Lu}/u;

/** A sentence that ends with a pronoun leaves open what was chosen. */
const named = '(?!(?:it|that|this|them)[.!]?$)';
const decision = anyOf(
  pattern`\b(?:i|we)(?:['’]ve| have)? (?:all |both |just |finally |now |jointly )*(?:
    decided|agreed (?:on|to|that|not)|chose|chosen|settled on|opted|picked|selected|concluded|
    made up (?:my|our) mind
  )\b`,
  pattern`^let['’]?s (?:
    go (?:with|for)|use|stick (?:with|to)|choose|pick|switch to|adopt|keep|drop|settle on|stay with
  ) ${named}`,
  pattern`^(?:i|we)(?:['’]ll| will|['’]re| are|['’]m| am) (?:now )?(?:
    go(?:ing)? (?:with|for)|stick(?:ing)? (?:with|to)|stay(?:ing)? with|settl(?:e|ing) on
  ) ${named}`,
  pattern`^(?:the|our) decision (?:is|was)\b`,
  pattern`^it (?:is|was|has been) decided\b`,
);

const lasting = pattern`
  move|marry|retire|start|leave|join|travel|fly|visit|study|buy|sell|launch|release|migrate|switch|
  hire|open|quit|become|run|graduate|stay|spend|go|attend|be|present|publish|ship|finish|return|
  learn|renovate|take|celebrate|meet|have`;
const ongoing = pattern`
  moving|flying|leaving|travell?ing|going|getting married|starting|switching|launching|expecting|
  having|taking|visiting|retiring|meeting|running|hosting|attending|hiring|releasing|migrating|
  opening|buying|selling|joining|changing`;
const occasion = pattern`
  deadline|launch|release|wedding|due date|exam|interview|appointment|trip|vacation|holiday|
  surgery|conference|kick-off`;
const who = pattern`(?:i|we|my \w+|he|she|they)`;
const be = "(?:['’]m| am|['’]re| are|['’]s| is)";
const plan = anyOf(
  pattern`^${who}${be}? (?:
    planning|intending|plan|plans|intend|intends|aim|aims|hoping
  ) (?:to|on)\b`,
  pattern`^${who}(?:['’]ll| will|${be} going to) (?:also )?(?:${lasting})\b.*${timePhrase}`,
  pattern`^${who}${be} (?:${ongoing})\b.*${timePhrase}`,
  pattern`^${who} (?:want|wants|need|needs|have|has) to .*
    \b(?:by|until|before|in) ${timePhrase}`,
  pattern`^${who} (?:booked|reserved|scheduled|have booked|have scheduled)\b.*${timePhrase}`,
  pattern`^(?:the|our|my) (?:[\w-]+ ){0,3}(?:${occasion})\b.* (?:is|starts|begins) .*
    ${timePhrase}`,
);

/** The kind of a cleaned sentence of a user; null where it states nothing that lasts. */
export function classifySentence(text: string): StatementKind | null {
  const words = text.split(/[\s'’-]+/u).length;
  if (text.length > maxCharacters || /\?["'”’)]*$/u.test(text) || question.test(text)) return null;
  if (nickname.test(text)) return 'preference';
  if (words < wordsMin) return null;
  if (instruction.test(text)) return 'preference';
  if (hedged.test(text) || may.test(text) || hypothetical.test(text)) return null;
  if (decision.test(text)) return 'decision';
  if (plan.test(text)) return 'plan';
  if (preference.test(text)) return 'preference';
  return isFact(text) ? 'fact' : null;
}
