import type { CosineMap } from '../scale/cosine-map.ts';
import { fitLine, identityLine, type Line } from '../scale/line.ts';
import { createEncoderMap, type ModelScale, pairCosines } from '../scale/model-scale.ts';
import type { DocumentColumns } from './columns.ts';
import type { SearchScope } from './spaces.ts';
import type { Vectors } from './vectors.ts';

/** Documents whose cosines are compared: about 1,100 pairs. */
const sampleSize = 48;
/** Fewer say less about unrelated texts than the reference texts do. */
const sampleMin = 12;

/** What is read of an account's index. */
interface SampledDocuments {
  readonly columns: DocumentColumns;
  readonly vectors: Vectors;
  readonly revision: number;
  isLive(number: number): boolean;
}

/**
 * Converts the cosines of a model to the scale of the shipped encoder, for which the ranker is
 * fitted. The line that fits most pairs of documents comes from a sample of those that a search may
 * see; the sample depends only on which documents there are, so that all processes have the same.
 */
export class AccountScale {
  readonly #documents: SampledDocuments;
  #scale: ModelScale | null = null;
  #map: CosineMap | null = null;
  #cached: { readonly key: string; readonly line: Line } | null = null;

  constructor(documents: SampledDocuments) {
    this.#documents = documents;
  }

  set(scale: ModelScale | null): void {
    this.#scale = scale;
    this.#map = scale && createEncoderMap(scale);
    this.#cached = null;
  }

  get map(): CosineMap | null {
    return this.#map;
  }

  /** Computed again only after a change. */
  line(scope: SearchScope): Line {
    if (!this.#scale || !this.#map) return identityLine;
    const key = `${this.#documents.revision} ${scope.visible.join('')}`;
    if (this.#cached?.key !== key) {
      const vectors = this.#sample(scope).map((number) => this.#unitVector(number));
      const line =
        vectors.length < sampleMin ? this.#scale.line : fitLine(this.#map, pairCosines(vectors));
      this.#cached = { key, line };
    }
    return this.#cached.line;
  }

  /** The visible documents whose ids have the smallest hashes. */
  #sample({ visible }: SearchScope): number[] {
    const { columns } = this.#documents;
    const sample: number[] = [];
    const hashAt = (i: number): number => columns.idHash[sample[i] as number] as number;
    for (let number = 0; number < columns.length; number += 1) {
      const hash = columns.idHash[number] as number;
      if (sample.length === sampleSize && hash >= hashAt(sampleSize - 1)) continue;
      const isVisible = visible[columns.space[number] as number] === 1;
      if (!isVisible || !this.#documents.isLive(number) || columns.inverseNorm[number] === 0) {
        continue;
      }
      let at = sample.length;
      while (at > 0 && hashAt(at - 1) > hash) at -= 1;
      sample.splice(at, 0, number);
      if (sample.length > sampleSize) sample.pop();
    }
    return sample;
  }

  #unitVector(number: number): Float32Array {
    const inverse = this.#documents.columns.inverseNorm[number] as number;
    return Float32Array.from(this.#documents.vectors.get(number), (value) => value * inverse);
  }
}

/** FNV-1a: ids begin with their time, and samples have to be random. */
export function hashOfId(id: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < id.length; i += 1) {
    hash = Math.imul(hash ^ id.charCodeAt(i), 0x01000193);
  }
  return hash >>> 0;
}
