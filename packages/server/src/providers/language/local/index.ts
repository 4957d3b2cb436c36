import type { Language } from '../language.ts';
import { extract } from './extraction/extract.ts';
import { qualityOf } from './quality.ts';
import { summaryOf } from './summary.ts';
import { topicsOf } from './topics.ts';

const model = 'local';

/** Reads by rules of this house: no network, no model, the same answer for the same text. */
export function createLocalLanguage(): Language {
  const said = <T>(value: T): Promise<{ model: string; value: T }> =>
    Promise.resolve({ model, value });
  return {
    model,
    extract: (source) => said(extract(source)),
    topics: (source, frequencies) => said(topicsOf(source, frequencies)),
    summary: (source) => said(summaryOf(source)),
    quality: (source) => said(qualityOf(source)),
  };
}
