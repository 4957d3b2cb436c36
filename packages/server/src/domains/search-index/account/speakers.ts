import { extractTerms, foldAccents } from '@mneme/text';
import type { PassageTerms } from '../analysis.ts';

/** The speakers of an account, by name. */
export class Speakers {
  readonly names: string[] = [];
  readonly #numbers = new Map<string, number>();
  /** By the first word of a name: the speakers with that first name. */
  readonly #byFirstWord = new Map<string, number[]>();

  intern(name: string): number {
    const plain = normaliseName(name);
    return this.#numbers.get(plain) ?? this.add(plain);
  }

  /** Adds a normalised name that is new. */
  add(plain: string): number {
    const number = this.names.length;
    this.names.push(plain);
    this.#numbers.set(plain, number);
    const [first = ''] = plain.split(' ');
    this.#byFirstWord.set(first, [...(this.#byFirstWord.get(first) ?? []), number]);
    return number;
  }

  /** Speakers whose first name is this word, in lower case without accents. */
  withFirstName(word: string): readonly number[] {
    return this.#byFirstWord.get(word) ?? [];
  }

  /** Terms of the speaker's name that the passage does not contain. */
  missingNameTerms(
    name: string | null,
    { terms }: PassageTerms,
  ): { term: string; count: number }[] {
    if (name === null) return [];
    const passageTerms = new Set(terms.map(({ term }) => term));
    const words = new Set(extractTerms(name).words);
    return [...words].filter((word) => !passageTerms.has(word)).map((term) => ({ term, count: 1 }));
  }
}

const normaliseName = (name: string): string =>
  foldAccents(name)
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
