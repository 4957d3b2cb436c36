import type { Language, Said } from '../language.ts';
import { Extractor } from './extractor.ts';
import { qualityOf } from './quality.ts';
import { summaryOf } from './summary.ts';
import { topicsOf } from './topics.ts';

const model = 'local';
const said = <T>(value: T): Said<T> => ({ model, value });

/** Reads by rules of this house: no network, no model, the same answer for the same text. */
export function createLocalLanguage(): Language & AsyncDisposable {
  const extractor = new Extractor();
  return {
    model,
    extract: async (source) => said(await extractor.extract(source)),
    topics: async (source, frequencies) => said(topicsOf(source, frequencies)),
    summary: async (source) => said(summaryOf(source)),
    quality: async (source) => said(qualityOf(source)),
    [Symbol.asyncDispose]: () => extractor[Symbol.asyncDispose](),
  };
}
