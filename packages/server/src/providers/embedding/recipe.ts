import { createHash } from 'node:crypto';
import {
  EmbeddingFailed,
  type EndpointRecipe,
  type LocalRecipe,
  type OpenAiSettings,
  type TransformersSettings,
} from './embedding.ts';
import { unknownModelRequest } from './models/endpoint-models.ts';
import {
  canHaveDimensions,
  type KnownModel,
  type Pooling,
  type Prefixes,
} from './models/known-model.ts';
import { findKnownModel } from './models/known-models.ts';
import type { ModelFiles } from './models/model-files.ts';

/** What the operator may set instead of the facts of the model; null: not set. */
export interface RecipeOverrides {
  readonly queryPrefix: string | null;
  readonly documentPrefix: string | null;
  readonly pooling: Pooling | null;
  readonly dimensions: number | null;
}

const fingerprintCharacters = 8;

/**
 * A suffix of the model's name: vectors of different recipes are not comparable. Empty without a
 * recipe, which is how earlier versions made vectors.
 */
export function fingerprintOf(recipe: LocalRecipe | EndpointRecipe | undefined): string {
  if (!recipe) return '';
  const { prefixes, truncateTo } = recipe;
  const further =
    'request' in recipe
      ? [recipe.request.inputTypes && toPair(recipe.request.inputTypes)]
      : [recipe.pooling, recipe.layerNorm, recipe.tokensMax, recipe.checksum];
  if ('request' in recipe && isPlain(recipe)) return '';
  const text = JSON.stringify([toPair(prefixes), truncateTo, ...further]);
  const digest = createHash('sha256').update(text).digest('hex');
  return `#${digest.slice(0, fingerprintCharacters)}`;
}

const toPair = ({ query, document }: Prefixes): [string, string] => [query, document];

/** Whether texts are sent, and vectors used, as they are. */
const isPlain = ({ prefixes, truncateTo, request }: EndpointRecipe): boolean =>
  prefixes.query === '' &&
  prefixes.document === '' &&
  truncateTo === null &&
  request.inputTypes === null;

/** The facts of the table first, then those of the model's own files; settings replace both. */
const choosePrefixes = (
  overrides: RecipeOverrides,
  facts: Prefixes | undefined,
  files: Partial<Prefixes> = {},
): Prefixes => ({
  query: overrides.queryPrefix ?? facts?.query ?? files.query ?? '',
  document: overrides.documentPrefix ?? facts?.document ?? files.document ?? '',
});

/**
 * Adds its recipe to the settings of a local model that is not installed.
 * @throws EmbeddingFailed if its vectors cannot have these dimensions
 */
export function withLocalRecipe(
  settings: TransformersSettings,
  overrides: RecipeOverrides,
  name: string,
  files: ModelFiles,
): TransformersSettings {
  const known = findLocalModel(name);
  requirePossibleDimensions(known, overrides.dimensions);
  const isShortened = overrides.dimensions !== (known?.dimensions ?? null);
  const recipe: LocalRecipe = {
    pooling: overrides.pooling ?? known?.pooling ?? files.pooling ?? 'mean',
    prefixes: choosePrefixes(overrides, known?.prefixes, files.prefixes),
    truncateTo: isShortened ? overrides.dimensions : null,
    layerNorm: known?.layerNormBeforeTruncation ?? false,
    tokensMax: null,
    checksum: null,
  };
  const { query: queryPrefix, document: documentPrefix } = recipe.prefixes;
  const hasOwnPrefixes =
    queryPrefix === (overrides.queryPrefix ?? '') &&
    documentPrefix === (overrides.documentPrefix ?? '');
  // As earlier versions made vectors: the name stays, and nothing is embedded again.
  if (recipe.pooling === 'mean' && recipe.truncateTo === null && hasOwnPrefixes) {
    return { ...settings, queryPrefix, documentPrefix };
  }
  return { ...settings, recipe };
}

export function findLocalModel(name: string) {
  const known = findKnownModel(name);
  return known?.provider === 'transformers' ? known : undefined;
}

/**
 * Adds its recipe to the settings of a model behind an endpoint, which may serve local models.
 * @throws EmbeddingFailed if its vectors cannot have these dimensions
 */
export function withEndpointRecipe(
  settings: OpenAiSettings,
  overrides: RecipeOverrides,
): OpenAiSettings {
  const known = findKnownModel(settings.model);
  requirePossibleDimensions(known, overrides.dimensions);
  const request = known?.provider === 'openai' ? known.request : unknownModelRequest;
  // A server of a local model may ignore the field.
  const isTruncatedHere =
    known !== undefined &&
    (known.provider === 'transformers' || request.dimensionsField === null) &&
    overrides.dimensions !== null &&
    overrides.dimensions < known.dimensions;
  const recipe: EndpointRecipe = {
    prefixes: choosePrefixes(
      overrides,
      known?.provider === 'transformers' ? known.prefixes : undefined,
    ),
    request: known?.provider === 'transformers' ? { ...request, dimensionsField: null } : request,
    truncateTo: isTruncatedHere ? overrides.dimensions : null,
  };
  return known === undefined && isPlain(recipe) ? settings : { ...settings, recipe };
}

/** @throws EmbeddingFailed */
export function requirePossibleDimensions(
  known: KnownModel | undefined,
  count: number | null,
): void {
  if (known === undefined || count === null || canHaveDimensions(known, count)) return;
  const { name, dimensions, otherDimensions: others } = known;
  const list = 'min' in others ? [`any from ${others.min} to ${dimensions}`] : others;
  const possible = [dimensions, ...list].join(', ');
  throw new EmbeddingFailed(
    `vectors of ${name} cannot have ${count} dimensions: set MNEME_EMBEDDING_DIMENSIONS to one ` +
      `of ${possible}`,
  );
}
