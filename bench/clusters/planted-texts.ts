import { createRandom } from '../random.ts';
import type { TextGenerator } from '../text-generator.ts';

const topics = 200;
const topicWords = 30;
const ownWords = 10;
/** More frequent words are of no topic. */
const commonWords = 500;

/** Texts of 200 topics: ten words of thirty of its own, and some of any. Seeded. */
export function plantedTexts(
  vocabulary: readonly string[],
  texts: TextGenerator,
  seed: number,
): () => string {
  const random = createRandom(seed);
  const pick = <T>(of: readonly T[]): T => of[Math.floor(random() * of.length)] as T;
  const rarer = vocabulary.slice(commonWords);
  const words = Array.from({ length: topics }, () =>
    Array.from({ length: topicWords }, () => pick(rarer)),
  );
  return () => {
    const topic = pick(words);
    const own = Array.from({ length: ownWords }, () => pick(topic));
    const any = texts.memory().split(' ').slice(0, ownWords);
    return [...any, ...own].join(' ');
  };
}
