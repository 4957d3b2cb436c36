import { readFileSync } from 'node:fs';

/** Texts by which the scale of a model is measured, and what the shipped encoder makes of them. */
export interface ReferenceTexts {
  /** Increases with every change: scales are then measured again. */
  readonly version: number;
  /** A question and a memory that answers it; the other memories are not related to it. */
  readonly answers: readonly (readonly [question: string, memory: string])[];
  /** Two memories that say the same. */
  readonly restatements: readonly (readonly [first: string, second: string])[];
  /** Of the cosines of the shipped encoder. */
  readonly encoderQuantiles: readonly number[];
}

const file = new URL('../../../../assets/scale/reference-texts.json', import.meta.url);

let cached: ReferenceTexts | undefined;

/** Read once, on first use. The file is made by training/ranker/make-reference-texts.ts. */
export function referenceTexts(): ReferenceTexts {
  cached ??= JSON.parse(readFileSync(file, 'utf8')) as ReferenceTexts;
  return cached;
}
