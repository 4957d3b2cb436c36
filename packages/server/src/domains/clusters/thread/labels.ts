import { foldAccents, hasUnspacedScript, isStopWord, stem, termProbability } from '@mneme/text';

interface Keyword {
  readonly term: string;
  readonly weight: number;
}

/** What the texts of a cluster are about. */
export interface Topic {
  /** Words that distinguish it from the others; unique within a run. */
  readonly label: string;
  /** By descending weight. */
  readonly keywords: readonly Keyword[];
}

/** Only the start of a text is read: it says what the text is about. */
const charactersMax = 2_000;
const termCharactersMax = 40;
const keywordsMax = 10;
const labelWords = 3;
const wordPattern = /[\p{L}\p{N}]+(?:[-'’._][\p{L}\p{N}]+)*/gu;
const rarest = -Math.log(termProbability(''));

/** By term, the number of texts that contain it. */
type Counts = Map<string, number>;

/**
 * The terms that distinguish each cluster, by class-based tf·idf (Grootendorst, "BERTopic: Neural
 * topic modeling with a class-based TF-IDF procedure", 2022): tf·ln(1 + A/f) with tf the share of
 * the cluster's texts that contain the term, f the number of all texts that contain it, and A the
 * mean number of terms per cluster; times how rare the term is in English, relative to the rarest.
 * A term counts once per text, so that long texts have no more weight.
 * @param members the rows of each cluster
 */
export function extractTopics(
  texts: readonly string[],
  members: readonly (readonly number[])[],
): Topic[] {
  const reader = new TermReader();
  const counts = members.map((rows) => countTerms(rows, texts, reader));
  const frequencies: Counts = new Map();
  let all = 0;
  for (const [term, count] of counts.flatMap((each) => [...each])) {
    frequencies.set(term, (frequencies.get(term) ?? 0) + count);
    all += count;
  }
  const mean = all / members.length;
  const usedLabels = new Set<string>();
  return counts.map((each, cluster) => {
    const size = members[cluster]?.length ?? 1;
    const weighed = [...each].map(([term, count]): [string, number] => {
      const idf = Math.log(1 + mean / (frequencies.get(term) ?? 1));
      return [term, (count / size) * idf * (-Math.log(termProbability(term)) / rarest)];
    });
    // Terms of a single text are used only if the cluster has no shared ones.
    const isShared = (term: string): number => ((each.get(term) ?? 0) > 1 ? 1 : 0);
    weighed.sort(([a, x], [b, y]) => isShared(b) - isShared(a) || y - x || (a < b ? -1 : 1));
    const keywords = weighed
      .slice(0, keywordsMax)
      .map(([term, weight]) => ({ term: reader.commonForm(term), weight: rounded(weight) }));
    return { label: labelOf(keywords, usedLabels), keywords };
  });
}

const rounded = (weight: number): number => Math.round(weight * 10_000) / 10_000;

/** The first three words, and more words or a number if another cluster has the same label. */
function labelOf(keywords: readonly Keyword[], usedLabels: Set<string>): string {
  const words = keywords.map(({ term }) => term);
  const candidates = [labelWords, labelWords + 1, labelWords + 2].map((count) =>
    words.slice(0, count).join(', '),
  );
  const plain = capitalised(candidates[0] || 'untitled');
  const numbered = function* (): Generator<string> {
    yield* candidates.filter((label) => label !== '').map(capitalised);
    for (let number = 2; ; number += 1) yield `${plain} (${number})`;
  };
  for (const label of numbered()) {
    if (usedLabels.has(label.toLowerCase())) continue;
    usedLabels.add(label.toLowerCase());
    return label;
  }
  return plain;
}

const capitalised = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

function countTerms(rows: readonly number[], texts: readonly string[], reader: TermReader): Counts {
  const counts: Counts = new Map();
  for (const row of rows) {
    for (const term of reader.read(texts[row] ?? '')) {
      counts.set(term, (counts.get(term) ?? 0) + 1);
    }
  }
  return counts;
}

/** Maps texts to stems, and counts the written forms of each. */
class TermReader {
  readonly #forms = new Map<string, Map<string, number>>();
  readonly #segmenter = new Intl.Segmenter(undefined, { granularity: 'word' });

  /** The distinct terms of a text: content words, without numbers. */
  read(text: string): Set<string> {
    const terms = new Set<string>();
    for (const word of this.#wordsOf(text.slice(0, charactersMax))) {
      const written = word.replace(/['’]s$/u, '');
      const plain = foldAccents(written).toLowerCase();
      if (plain.length < 2 || plain.length > termCharactersMax) continue;
      if (isStopWord(plain) || !/\p{L}/u.test(plain) || /^\p{N}/u.test(plain)) continue;
      const term = stem(plain);
      terms.add(term);
      const forms = this.#forms.get(term) ?? new Map<string, number>();
      forms.set(written, (forms.get(written) ?? 0) + 1);
      this.#forms.set(term, forms);
    }
    return terms;
  }

  /**
   * The most frequent written form, in lower case if that occurs at all; the first in case of ties.
   */
  commonForm(term: string): string {
    const forms = [...(this.#forms.get(term) ?? [])];
    const small = forms.filter(([form]) => form === form.toLowerCase());
    const some = small.length > 0 ? small : forms;
    some.sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
    return some[0]?.[0] ?? term;
  }

  #wordsOf(text: string): string[] {
    if (!hasUnspacedScript(text)) return [...text.matchAll(wordPattern)].map(([word]) => word);
    return [...this.#segmenter.segment(text)]
      .filter(({ isWordLike }) => isWordLike)
      .map(({ segment }) => segment);
  }
}
