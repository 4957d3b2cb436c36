import { readFile } from 'node:fs/promises';
import type { EntityType, FactPredicate } from '../src/types.ts';

export interface LabelledEntity {
  readonly type: EntityType;
  readonly name: string;
  readonly mentions: readonly string[];
  readonly value?: string;
}

export interface LabelledFact {
  readonly subject: string;
  readonly predicate: FactPredicate;
  readonly object: string;
  readonly valid_from?: string;
  readonly valid_to?: string;
}

export interface LabelledText {
  readonly id: string;
  readonly at: string;
  readonly speaker?: string;
  readonly text: string;
  readonly entities: readonly LabelledEntity[];
  readonly facts: readonly LabelledFact[];
}

export async function readLabels(half: 'tuning' | 'test'): Promise<LabelledText[]> {
  const file = new URL(`${half}.jsonl`, import.meta.url);
  const lines = (await readFile(file, 'utf8')).split('\n');
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as LabelledText);
}
