import { isStopWord, stem } from '../../../text/stem.ts';
import { termProbability } from '../../../text/term-probability.ts';
import { foldAccents, hasUnspacedScript } from '../../../text/terms.ts';
import type { Keyword } from './task.ts';

/** What a cluster is about. */
export interface Topic {
  readonly label: string;
  readonly keywords: readonly Keyword[];
}

/** Only so much of a text is read: the beginning tells what it is about. */
const charactersMax = 2_000;
const termCharactersMax = 40;
const keywordsMax = 10;
const labelWords = 3;
const wordPattern = /[\p{L}\p{N}]+(?:[-'’._][\p{L}\p{N}]+)*/gu;
const rarest = -Math.log(termProbability(''));

/** By term, in how many texts it stands. */
type Counts = Map<string, number>;

/**
 * The terms that tell each cluster from the others, by class-based tf·idf (Grootendorst, "BERTopic:
 * Neural topic modeling with a class-based TF-IDF procedure", 2022): tf·ln(1 + A/f) with tf the
 * share of the cluster's texts that hold the term, f how many texts of all hold it, and A how many
 * terms a cluster has in the mean; times how rare the term is in English, as a share of the rarest.
 * A term counts once a text, so that a long one says no more than another.
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
  const taken = new Set<string>();
  return counts.map((each, cluster) => {
    const size = members[cluster]?.length ?? 1;
    const weighed = [...each].map(([term, count]): [string, number] => {
      const idf = Math.log(1 + mean / (frequencies.get(term) ?? 1));
      return [term, (count / size) * idf * (-Math.log(termProbability(term)) / rarest)];
    });
    // What a single text says is said of a cluster only where nothing is shared.
    const isShared = (term: string): number => ((each.get(term) ?? 0) > 1 ? 1 : 0);
    weighed.sort(([a, x], [b, y]) => isShared(b) - isShared(a) || y - x || (a < b ? -1 : 1));
    const keywords = weighed
      .slice(0, keywordsMax)
      .map(([term, weight]) => ({ term: reader.commonForm(term), weight: rounded(weight) }));
    return { label: labelOf(keywords, taken), keywords };
  });
}

const rounded = (weight: number): number => Math.round(weight * 10_000) / 10_000;

/** The first three words, and more or a number where another cluster has them. */
function labelOf(keywords: readonly Keyword[], taken: Set<string>): string {
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
    if (taken.has(label.toLowerCase())) continue;
    taken.add(label.toLowerCase());
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

/** The stems of texts, and in what form each is written. */
class TermReader {
  readonly #forms = new Map<string, Map<string, number>>();
  readonly #segmenter = new Intl.Segmenter(undefined, { granularity: 'word' });

  /** The different terms of a text: content words, without numbers. */
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

  /** As it is written most often, in small letters where it ever is; of two the first of them. */
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
