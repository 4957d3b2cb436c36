import {
  foldAccents,
  hasUnspacedScript,
  isStopWord,
  stem,
  termProbability,
  unknownTermProbability,
} from '@mneme/text';

const termCharactersMax = 40;
const wordPattern = /[\p{L}\p{N}]+(?:[-'’._][\p{L}\p{N}]+)*/gu;
const endingPattern = /['’](?:s|ve|ll|re|d|m)$/iu;
/** Such as can't: all of them are auxiliary verbs. */
const negationPattern = /n['’]t$/u;
/** Such as a.m. */
const initialsPattern = /^(?:\p{L}\.)+\p{L}$/u;
/** After the end of a sentence, or at the start of a text, a capital says nothing. */
const startPattern = /(?:^|[.!?:;"“(\n])\s*$/u;
/** The natural logarithm of the probability of a word that is not in the list. */
const rarest = -Math.log(unknownTermProbability);

/** How rare a stem is in English, relative to words that are in no list: 0..1. */
export const rarityOf = (term: string): number => -Math.log(termProbability(term)) / rarest;

/** Numbers, units, times and titles occur with any topic, and name none. */
const unspecific = new Set(
  (
    'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen ' +
    'fifteen sixteen seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ' +
    'ninety hundred thousand million half quarter first second third fourth fifth sixth ' +
    'seventh eighth ninth tenth once twice dozen percent ' +
    'monday tuesday wednesday thursday friday saturday sunday january february march april june ' +
    'july august september october november december day week month year hour minute today ' +
    'tomorrow yesterday tonight morning evening afternoon weekend weekday ' +
    'mm cm metre meter km kilometre kilometer mile inch foot mg gram kg kilo litre liter ml kb ' +
    'mb gb tb ms degree euro dollar pound ' +
    'mr mrs ms dr prof please yes okay via per every next instead everything something anything ' +
    'nothing everyone someone must around neither never'
  )
    .split(' ')
    .map(stem),
);

interface Form {
  /** How often it occurs, and how often elsewhere than at the start of a sentence. */
  count: number;
  inside: number;
}

/** Maps texts to stems, and counts the written forms of each. */
export class TopicWords {
  readonly #forms = new Map<string, Map<string, Form>>();
  readonly #segmenter = new Intl.Segmenter(undefined, { granularity: 'word' });

  /** The distinct terms of a text: content words, without numbers and words of any topic. */
  read(text: string): Set<string> {
    const terms = new Set<string>();
    for (const [word, isFirst] of this.#wordsOf(text)) {
      const written = word.replace(endingPattern, '');
      const plain = foldAccents(written).toLowerCase();
      if (plain.length < 2 || plain.length > termCharactersMax) continue;
      if (initialsPattern.test(plain) || negationPattern.test(plain)) continue;
      if (isStopWord(plain) || !/\p{L}/u.test(plain) || /^\p{N}/u.test(plain)) continue;
      const term = stem(plain);
      if (unspecific.has(term)) continue;
      terms.add(term);
      this.#count(term, written, isFirst);
    }
    return terms;
  }

  #count(term: string, written: string, isFirst: boolean): void {
    const forms = this.#forms.get(term) ?? new Map<string, Form>();
    const form = forms.get(written) ?? { count: 0, inside: 0 };
    form.count += 1;
    if (!isFirst) form.inside += 1;
    forms.set(written, form);
    this.#forms.set(term, forms);
  }

  /**
   * The most frequent written form, if possible of those within sentences; the shortest in case
   * of ties. Of a word that only starts sentences: in lower case if it is English, else a name.
   */
  commonForm(term: string): string {
    const forms = [...(this.#forms.get(term) ?? [])];
    const inside = forms.filter(([, { inside: count }]) => count > 0);
    const some = inside.length > 0 ? inside : forms;
    const frequency = ({ count, inside: within }: Form): number =>
      inside.length > 0 ? within : count;
    some.sort(
      ([a, x], [b, y]) => frequency(y) - frequency(x) || a.length - b.length || (a < b ? -1 : 1),
    );
    const form = some[0]?.[0] ?? term;
    const isTitleCase = /^\p{Lu}\p{Ll}+$/u.test(form);
    return inside.length === 0 && isTitleCase && rarityOf(term) < 1 ? form.toLowerCase() : form;
  }

  /** Each word, and whether it starts a sentence. */
  #wordsOf(text: string): [word: string, isFirst: boolean][] {
    const isFirst = (index: number): boolean =>
      startPattern.test(text.slice(Math.max(0, index - 4), index)) || index === 0;
    if (!hasUnspacedScript(text)) {
      return [...text.matchAll(wordPattern)].map(({ 0: word, index }) => [word, isFirst(index)]);
    }
    return [...this.#segmenter.segment(text)]
      .filter(({ isWordLike }) => isWordLike)
      .map(({ segment, index }) => [segment, isFirst(index)]);
  }
}
