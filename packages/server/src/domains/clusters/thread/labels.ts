import { rarityOf, TopicWords } from './topic-words.ts';

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
const keywordsMax = 10;
const labelWords = 3;

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
  const reader = new TopicWords();
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
      return [term, (count / size) * idf * rarityOf(term)];
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

const isName = (word: string): boolean => /^\p{Lu}\p{Ll}+$/u.test(word);
const sharedLetters = 5;
const areAlike = (one: string, other: string): boolean => {
  const [a, b] = [one.toLowerCase(), other.toLowerCase()];
  const isPart = Math.min(a.length, b.length) >= sharedLetters && (a.includes(b) || b.includes(a));
  return (
    isPart || (a.length > sharedLetters && a.slice(0, sharedLetters) === b.slice(0, sharedLetters))
  );
};

/** Words of a label, best first: a second name or a word like an earlier one comes last. */
function orderForLabel(words: readonly string[]): string[] {
  const [preferred, others]: [string[], string[]] = [[], []];
  for (const word of words) {
    const isSecondName = isName(word) && preferred.some(isName);
    const isRepeated = preferred.some((earlier) => areAlike(earlier, word));
    (isSecondName || isRepeated ? others : preferred).push(word);
  }
  return [...preferred, ...others];
}

/** The first three words, and more words or a number if another cluster has the same label. */
function labelOf(keywords: readonly Keyword[], usedLabels: Set<string>): string {
  const words = orderForLabel(keywords.map(({ term }) => term));
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

function countTerms(rows: readonly number[], texts: readonly string[], reader: TopicWords): Counts {
  const counts: Counts = new Map();
  for (const row of rows) {
    for (const term of reader.read((texts[row] ?? '').slice(0, charactersMax))) {
      counts.set(term, (counts.get(term) ?? 0) + 1);
    }
  }
  return counts;
}
