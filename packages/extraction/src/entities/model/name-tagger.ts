import { readFileSync } from 'node:fs';
import type { EntityType } from '../../types.ts';
import type { TokenizedText } from '../candidates.ts';
import type { EntityMention, MentionTypingResult } from '../entity-typing.ts';
import type { NamedEntityType } from '../type-scores.ts';
import { forbiddenTransitionScore, LinearChainCrf, transitionFactors } from './linear-chain-crf.ts';
import { extractTokenFeatures } from './token-features.ts';
import { Weights } from './weights.ts';

/**
 * The types that the model distinguishes; concepts only so that they are not mistaken for others.
 */
const types = [
  'person',
  'organization',
  'location',
  'product',
  'event',
  'skill',
  'concept',
] as const satisfies readonly EntityType[];

/** Labels for the first word of a name, for its later words, and for words outside of names. */
export const bioLabels: readonly string[] = [
  'O',
  ...types.flatMap((type) => [`B-${type}`, `I-${type}`]),
];

/** A name's later words can only follow its first word. */
export const canLabelFollow = (one: string | null, other: string): boolean =>
  !other.startsWith('I-') || (one !== null && one.slice(2) === other.slice(2));

/**
 * Minimum confidence per type, and a bias for the label of its first word: types that are rare in
 * the training texts are otherwise found too seldom.
 */
const bars: Readonly<Record<string, { readonly sure: number; readonly lean: number }>> = {
  person: { sure: 0.5, lean: 0 },
  organization: { sure: 0.7, lean: 0 },
  location: { sure: 0.4, lean: 0.4 },
  product: { sure: 0.45, lean: 0.3 },
  event: { sure: 0.35, lean: 1 },
  skill: { sure: 0.35, lean: 0.5 },
};

const lean = Float64Array.from(bioLabels, (label) =>
  label.startsWith('B-') ? (bars[label.slice(2)]?.lean ?? 0) : 0,
);

/** The names of a text by the model, with those of the rules among the features. */
export function tagNames(
  reading: TokenizedText,
  hints: MentionTypingResult,
  weights: Weights = shippedNames(),
): EntityMention[] {
  const { steps, begins, factors } = transitionsOf(weights);
  const mentions: EntityMention[] = [];
  for (const sentence of extractTokenFeatures(reading, hints)) {
    if (sentence.every(({ at }) => reading.words[at]?.kind !== 'word')) continue;
    const scores = sentence.map(({ features }) => weights.sumOf(features));
    const chain = new LinearChainCrf(scores, steps, begins, factors);
    const first = sentence[0]?.at ?? 0;
    for (const { from, to, path } of spansOf(chain.best(lean))) {
      const type = bioLabels[path[0] as number]?.slice(2) as NamedEntityType;
      const sure = chain.run(from, path, (path[0] as number) + 1);
      if (sure < (bars[type]?.sure ?? 2)) continue;
      const confidence = Math.round(Math.max(0.3, Math.min(0.99, sure)) * 100) / 100;
      mentions.push({ from: first + from, to: first + to, type, confidence });
    }
  }
  return mentions;
}

/** Transition weights are stored with the others, as features of their own. */
export const transitionFeature = (label: string): string => `behind ${label}`;

interface Transitions {
  readonly steps: Float64Array;
  readonly begins: Float64Array;
  readonly factors: Float64Array;
}

const transitions = new WeakMap<Weights, Transitions>();

/** The transitions of a model, computed once. */
function transitionsOf(weights: Weights): Transitions {
  const known = transitions.get(weights);
  if (known) return known;
  const steps = Float64Array.from(
    bioLabels.flatMap((one) => {
      const sums = weights.sumOf([transitionFeature(one)]);
      return bioLabels.map((other, at) =>
        canLabelFollow(one, other) ? (sums[at] as number) : forbiddenTransitionScore,
      );
    }),
  );
  const begins = Float64Array.from(bioLabels, (label) =>
    canLabelFollow(null, label) ? 0 : forbiddenTransitionScore,
  );
  const found = { steps, begins, factors: transitionFactors(steps) };
  transitions.set(weights, found);
  return found;
}

/** Runs of labels that form one name. */
function spansOf(path: readonly number[]): { from: number; to: number; path: number[] }[] {
  const spans: { from: number; to: number; path: number[] }[] = [];
  for (const [at, label] of path.entries()) {
    const last = spans.at(-1);
    if (label === 0) continue;
    // Labels are in pairs: the first word of a name has the odd one.
    if (label % 2 === 1) spans.push({ from: at, to: at + 1, path: [label] });
    else if (last) {
      last.to = at + 1;
      last.path.push(label);
    }
  }
  return spans;
}

const file = new URL('../../../assets/models/names.bin', import.meta.url);
let shipped: Weights | undefined;

const shippedNames = (): Weights => {
  shipped ??= new Weights(readFileSync(file));
  return shipped;
};
