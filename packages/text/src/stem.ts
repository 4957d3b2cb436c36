import { readFileSync } from 'node:fs';
import porter2 from 'wink-porter2-stemmer';

/** Irregular English forms to base forms, lower case ("ran" → "run"). */
export const irregularForms: ReadonlyMap<string, string> = new Map(
  Object.entries(
    JSON.parse(
      readFileSync(new URL('../assets/irregular-forms.json', import.meta.url), 'utf8'),
    ) as Record<string, string>,
  ),
);

const stopWords = new Set(
  `a about above after again against all am an and any are aren't as at be because been before
  being below between both but by can cannot could couldn't did didn't do does doesn't doing don't
  down during each few for from further had hadn't has hasn't have haven't having he her here hers
  herself him himself his how i if in into is isn't it its itself just let's me more most mustn't
  my myself no nor not now of off on once only or other ought our ours ourselves out over own same
  shan't she should shouldn't so some such than that the their theirs them themselves then there
  these they this those through to too under until up very was wasn't we were weren't what when
  where which while who whom why will with won't would wouldn't you your yours yourself yourselves
  d ll m o re s t ve don didn doesn isn aren wasn weren hasn haven hadn won wouldn shouldn couldn
  mustn shan ain`.split(/\s+/),
);

/** Words repeat; caching their stems makes analysis several times faster. */
const stemCache = new Map<string, string>();
const stemCacheMax = 50_000;

export const isStopWord = (word: string): boolean => stopWords.has(word);

/**
 * The stem of a lower-case word: its base form if it is irregular ("went" → "go"), then Porter2
 * (Porter, "The English (Porter2) stemming algorithm", 2001). Words of other scripts are unchanged.
 */
export function stem(word: string): string {
  if (!/^[a-z]{3,40}$/.test(word)) return word;
  const known = stemCache.get(word);
  if (known !== undefined) return known;
  const stemmed = porter2(irregularForms.get(word) ?? word);
  if (stemCache.size >= stemCacheMax) stemCache.clear();
  stemCache.set(word, stemmed);
  return stemmed;
}
