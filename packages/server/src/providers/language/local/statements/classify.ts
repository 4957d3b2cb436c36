import type { StatementKind } from '../../text-analyzer.ts';
import { isFact } from './facts.ts';
import { anyOf, timePhrase } from './phrases.ts';

const maxCharacters = 400;
const wordsMin = 3;

/** Questions without a question mark. */
const question = anyOf(
  '^(?:can|could|would|will|do|does|did|is|are|am|was|were|should|shall|may|has) (?:you|i|we|it|there|this|that|they|he|she|the|my|your|anyone|somebody)\\b',
  '^(?:what|how|why|where|who|whose|which)\\b',
  '^any (?:idea|ideas|chance|tips)\\b',
  '^when (?:is|are|do|does|did|will|can|was)\\b',
);
const hedged = anyOf(
  '\\b(?:maybe|perhaps|probably|possibly|presumably|apparently)\\b',
  '\\b(?:i|we) (?:think|guess|suppose|wonder|hope|wish|assume|believe|feel like|doubt|imagine)\\b',
  '\\b(?:might|could)\\b',
  '\\bnot sure\\b',
  "\\bdon['’]?t know (?:if|whether|what|how|why)\\b",
  '\\b(?:seems?|seemed|sounds? like|looks? like)\\b',
);
/** Not the month. */
const may = /(?<!\b(?:in|by|until|from|to|of|this|next) )\bmay\b/u;
const hypothetical = anyOf(
  '^(?:if|suppose|supposing|imagine|assume|assuming|hypothetically|say|what if|in case|unless)\\b',
  "^let['’]?s (?:say|assume|imagine|pretend|suppose)\\b",
  "\\bif (?:i|we|you|he|she|it|they) (?:were|was|had|could|didn['’]?t|\\w+ed)\\b",
  '\\b(?:would|should)\\b(?! (?:rather|prefer))',
  "\\b(?:i|we|he|she|they|it)['’]d (?!rather|prefer)",
);

const object = '(?!(?:it|that|this|them|him|her|you|your|the idea|how|where)\\b)';
const adverbs =
  '(?:(?:really|absolutely|just|also|do|still|usually|generally|definitely|truly|much|strongly) )*';
const preference = anyOf(
  `\\b(?:i|we) ${adverbs}(?:like|love|enjoy|adore|hate|dislike|detest|loathe|favou?r|(?:can['’]?t|cannot|can not) stand) ${object}`,
  `\\b(?:i|we) ${adverbs}prefer\\b`,
  "\\b(?:i|we) (?:don['’]?t|do not) (?:really )?(?:like|love|enjoy|care for|want to be) \\w",
  "\\b(?:i|we)(?:['’]d| would) (?:much )?(?:rather|prefer)\\b",
  '\\b(?:my|our) (?:all-time )?(?:favou?rite|preferred)\\b.* (?:is|are)\\b',
  "^(?:i|we)(?:['’]m| am|['’]re| are) (?:not )?(?:really )?(?:a |an )?(?:big |huge |great )?(?:fans? of|fond of|keen on|partial to)\\b",
  '^(?:i|we) (?:always|never|usually|normally|generally|typically|only|tend to|mostly|try to avoid|avoid) (?!(?:said|thought|knew|saw|heard|got|had|meant|went|did|was|were|been|told|wanted|understood|mind|\\w+ed)\\b)\\w',
);
const instruction = anyOf(
  '^(?:please )?(?:always|never) \\w',
  '^(?:please,? )?(?:from now on|in (?:the )?future|going forward)\\b',
  '\\bfrom now on\\b',
  "^(?:please )?(?:don['’]?t|do not|avoid) (?!(?:worry|forget|bother|mind|ask|know|think|care|get me wrong|be|you|we|let|hesitate|wait|give up|stop)\\b)(?!.*\\b(?:yet|now|again|this time|here)\\b)\\w",
);
const nickname = /^(?:please )?(?:[Cc]all me|I go by) \p{Lu}/u;

const decision = anyOf(
  "\\b(?:i|we)(?:['’]ve| have)? (?:all |both |just |finally |now |jointly )*(?:decided|agreed (?:on|to|that|not)|chose|chosen|settled on|opted|picked|selected|concluded|made up (?:my|our) mind)\\b",
  "^let['’]?s (?:go (?:with|for)|use|stick (?:with|to)|choose|pick|switch to|adopt|keep|drop|settle on|stay with) (?!(?:it|that|this|them)[.!]?$)",
  "^(?:i|we)(?:['’]ll| will|['’]re| are|['’]m| am) (?:now )?(?:go(?:ing)? (?:with|for)|stick(?:ing)? (?:with|to)|stay(?:ing)? with|settl(?:e|ing) on) (?!(?:it|that|this|them)[.!]?$)",
  '^(?:the|our) decision (?:is|was)\\b',
  '^it (?:is|was|has been) decided\\b',
);

const lasting =
  'move|marry|retire|start|leave|join|travel|fly|visit|study|buy|sell|launch|release|migrate|switch|hire|open|quit|become|run|graduate|stay|spend|go|attend|be|present|publish|ship|finish|return|learn|renovate|take|celebrate|meet|have';
const ongoing =
  'moving|flying|leaving|travell?ing|going|getting married|starting|switching|launching|expecting|having|taking|visiting|retiring|meeting|running|hosting|attending|hiring|releasing|migrating|opening|buying|selling|joining|changing';
const we = '(?:i|we|my \\w+|he|she|they)';
const plan = anyOf(
  `^${we}(?:['’]m| am|['’]re| are|['’]s| is)? (?:planning|intending|plan|plans|intend|intends|aim|aims|hoping) (?:to|on)\\b`,
  `^${we}(?:['’]ll| will|['’]m going to| am going to|['’]re going to| are going to|['’]s going to| is going to) (?:also )?(?:${lasting})\\b.*${timePhrase}`,
  `^${we}(?:['’]m| am|['’]re| are|['’]s| is) (?:${ongoing})\\b.*${timePhrase}`,
  `^${we} (?:want|wants|need|needs|have|has) to .*\\b(?:by|until|before|in) ${timePhrase}`,
  `^${we} (?:booked|reserved|scheduled|have booked|have scheduled)\\b.*${timePhrase}`,
  `^(?:the|our|my) (?:[\\w-]+ ){0,3}(?:deadline|launch|release|wedding|due date|exam|interview|appointment|trip|vacation|holiday|surgery|conference|kick-off)\\b.* (?:is|starts|begins) .*${timePhrase}`,
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
