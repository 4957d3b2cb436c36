import { planLimits, utf8Bytes } from '@mneme/contract';
import { AppError } from '../../kernel/errors.ts';
import { TimeSlice } from '../../kernel/time-slice.ts';
import {
  type Embedder,
  EmbeddingFailed,
  type EmbeddingPurpose,
} from '../../providers/embedding/index.ts';
import type { Ctx } from '../ctx.ts';
import { accountModels, analyseTextYielding, type NewDocument } from '../search-index/index.ts';

export interface Embeddable {
  readonly content: string;
  /** The caller's own vector, normalized only. */
  readonly embedding?: readonly number[] | undefined;
  /** The time that relative dates in the text refer to, such as "yesterday". */
  readonly occurred_at: Date;
}

/** Throws 422 content_too_large beyond the limit of the plan. */
export function requireContentSize({ actor }: Ctx, content: string): void {
  const max = planLimits[actor.plan].content_bytes;
  const bytes = utf8Bytes(content);
  if (bytes <= max) return;
  throw new AppError('content_too_large', {
    details: { max_bytes: max, received_bytes: bytes },
  });
}

/** Throws 422 invalid_embedding: wrong number of dimensions, or a zero or infinite length. */
export function requireValidVector(
  { dimensions }: { readonly dimensions: number },
  embedding: readonly number[] | undefined,
): void {
  if (!embedding) return;
  if (embedding.length === dimensions && hasDirection(embedding)) return;
  throw new AppError('invalid_embedding', {
    details: { expected_dimensions: dimensions, received_dimensions: embedding.length },
  });
}

function hasDirection(vector: readonly number[]): boolean {
  const length = Math.hypot(...vector);
  return length > 0 && Number.isFinite(length);
}

/**
 * `final`: embedded now. `provisional`: approximated where the model can do that, for memories,
 * which the encoding worker embeds later.
 */
export type VectorKind = 'final' | 'provisional';

/** The terms and vectors of a text. */
export type EmbeddedContent = NewDocument['content'];

/**
 * Terms and vectors, in the order of the items: by the account's model, and also by the configured
 * one if it differs, so that vectors exist when the account changes its model. Throws 500
 * embedding_failed if the provider fails; nothing is stored by then.
 */
export async function embedContents(
  ctx: Ctx,
  items: readonly Embeddable[],
  kind: VectorKind,
): Promise<EmbeddedContent[]> {
  const accountModel = await accountModels.of(ctx).get(ctx.actor.accountId);
  const accountEmbedder = await accountModels.of(ctx).getEmbedder(accountModel);
  const vectors = [
    { model: accountModel, vectors: await vectorsOfAccountModel(accountEmbedder, items, kind) },
  ];
  if (accountModel !== ctx.embedder.model)
    vectors.push(...(await vectorsOfConfiguredModel(ctx, items, kind, accountEmbedder === null)));
  const contents: EmbeddedContent[] = [];
  const slice = new TimeSlice();
  for (const [i, { content, occurred_at: at }] of items.entries()) {
    contents.push({
      terms: await analyseTextYielding(content, at, slice),
      models: vectors.map(({ model }) => model),
      vectors: vectors.flatMap(({ model, vectors: all }) => {
        const vector = all[i];
        return vector ? [{ model, ...vector }] : [];
      }),
    });
  }
  return contents;
}

interface MadeVector {
  readonly vector: Float32Array;
  readonly isProvisional: boolean;
}
type MaybeVectors = readonly (MadeVector | null)[];

/** The caller's own vectors, normalized; null without a vector and an embedder. */
async function vectorsOfAccountModel(
  embedder: Embedder | null,
  items: readonly Embeddable[],
  kind: VectorKind,
): Promise<MaybeVectors> {
  const texts = items.filter(({ embedding }) => !embedding).map(({ content }) => content);
  const embedded = embedder ? await embedDocuments(embedder, texts, kind) : [];
  return items.map(({ embedding }) => {
    if (embedding) return { vector: toUnitVector(embedding), isProvisional: false };
    const vector = embedded.shift();
    if (!vector && embedder) throw new AppError('embedding_failed');
    return vector ?? null;
  });
}

/** Vectors that cannot be created now are created by the job that changes the account's model. */
async function vectorsOfConfiguredModel(
  ctx: Ctx,
  items: readonly Embeddable[],
  kind: VectorKind,
  isNeeded: boolean,
): Promise<{ model: string; vectors: MaybeVectors }[]> {
  const texts = items.map(({ content }) => content);
  try {
    const vectors = await embedDocuments(ctx.embedder, texts, kind);
    return [{ model: ctx.embedder.model, vectors }];
  } catch (error) {
    if (isNeeded) throw error;
    ctx.log.warn(
      { err: error },
      'embedding by the configured model failed; the former one is used',
    );
    return [];
  }
}

/**
 * Embeds a query by the account's model, and returns the model's name for the index. The vector is
 * null if the model is not available any more: then only terms match. Throws 500 embedding_failed.
 */
export async function embedQuery(
  ctx: Ctx,
  text: string,
): Promise<{ readonly model: string; readonly vector: Float32Array | null }> {
  const model = await accountModels.of(ctx).get(ctx.actor.accountId);
  const embedder = await accountModels.of(ctx).getEmbedder(model);
  const [vector] = embedder ? await embedWith(embedder, [text], 'query') : [];
  return { model, vector: vector ?? null };
}

async function embedDocuments(
  embedder: Embedder,
  texts: readonly string[],
  kind: VectorKind,
): Promise<MadeVector[]> {
  const isProvisional = kind === 'provisional' && embedder.embedProvisionally !== undefined;
  const vectors = isProvisional
    ? await embedder.embedProvisionally?.(texts)
    : await embedWith(embedder, texts, 'document');
  return (vectors ?? []).map((vector) => ({ vector, isProvisional }));
}

async function embedWith(
  embedder: Embedder,
  texts: readonly string[],
  purpose: EmbeddingPurpose,
  signal?: AbortSignal,
): Promise<Float32Array[]> {
  try {
    return await embedder.embed(texts, purpose, signal);
  } catch (cause) {
    throw new AppError('embedding_failed', { cause });
  }
}

/** Embeds stored texts by one model; null for texts it rejects. Throws 500 embedding_failed. */
export async function tryEmbedEach(
  embedder: Embedder,
  texts: readonly string[],
  signal?: AbortSignal,
): Promise<(Float32Array | null)[]> {
  try {
    return await embedWith(embedder, texts, 'document', signal);
  } catch (error) {
    if (!isTextRejected(error)) throw error;
    if (texts.length === 1) return [null];
    const vectors: (Float32Array | null)[] = [];
    for (const text of texts) vectors.push(...(await tryEmbedEach(embedder, [text], signal)));
    return vectors;
  }
}

/** The model is available but rejected this text: other texts may succeed. */
export const isTextRejected = (error: unknown): error is AppError =>
  error instanceof AppError && error.cause instanceof EmbeddingFailed && !error.cause.unavailable;

function toUnitVector(embedding: readonly number[]): Float32Array {
  const length = Math.hypot(...embedding);
  return Float32Array.from(embedding, (value) => value / length);
}
