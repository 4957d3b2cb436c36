import { planLimits, utf8Bytes } from '@mneme/contract';
import { AppError } from '../../kernel/errors.ts';
import { TimeSlice } from '../../kernel/time-slice.ts';
import {
  type Embedder,
  EmbeddingFailed,
  type EmbeddingPurpose,
} from '../../providers/embedding/index.ts';
import type { Ctx } from '../ctx.ts';
import { analyseYielding, modelRegistry, type NewDocument } from '../search-index/index.ts';

export interface Embeddable {
  readonly content: string;
  /** The caller's own vector, used as given. */
  readonly embedding?: readonly number[] | undefined;
  /** When it was said: what "yesterday" in it is relative to. */
  readonly occurred_at: Date;
}

/** Throws 422 content_too_large beyond what the plan allows. */
export function requireContentSize({ actor }: Ctx, content: string): void {
  const max = planLimits[actor.plan].content_bytes;
  const bytes = utf8Bytes(content);
  if (bytes <= max) return;
  throw new AppError('content_too_large', {
    details: { max_bytes: max, received_bytes: bytes },
  });
}

/** Throws 422 invalid_embedding: another length than the model's, or a vector without direction. */
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

type Contents = NewDocument['content'];

/**
 * Terms and vectors, in the order of the items: by the model that the account is searched by, and
 * by the configured one where that is another, so that it is ready when the account changes to it.
 * Throws 500 embedding_failed when the provider does; nothing has been stored by then.
 */
export async function embedContents(ctx: Ctx, items: readonly Embeddable[]): Promise<Contents[]> {
  const own = await modelRegistry.of(ctx).get(ctx.actor.accountId);
  const former = await modelRegistry.of(ctx).getEmbedder(own);
  const vectors = [{ model: own, vectors: await vectorsOfAccountModel(former, items) }];
  if (own !== ctx.embedder.model)
    vectors.push(...(await vectorsOfConfiguredModel(ctx, items, former === null)));
  const contents: Contents[] = [];
  const slice = new TimeSlice();
  for (const [i, { content, occurred_at: at }] of items.entries()) {
    contents.push({
      terms: await analyseYielding(content, at, slice),
      models: vectors.map(({ model }) => model),
      vectors: vectors.flatMap(({ model, vectors: all }) => {
        const vector = all[i];
        return vector ? [{ model, vector }] : [];
      }),
    });
  }
  return contents;
}

type MaybeVectors = readonly (Float32Array | null)[];

/** The caller's own vectors as given; null where there is none, and nobody to make one. */
async function vectorsOfAccountModel(
  embedder: Embedder | null,
  items: readonly Embeddable[],
): Promise<MaybeVectors> {
  const texts = items.filter(({ embedding }) => !embedding).map(({ content }) => content);
  const made = embedder ? await embedWith(embedder, texts, 'document') : [];
  return items.map(({ embedding }) => {
    if (embedding) return toUnitVector(embedding);
    const vector = made.shift();
    if (!vector && embedder) throw new AppError('embedding_failed');
    return vector ?? null;
  });
}

/** What cannot be made ahead is made by the job that changes the account's model. */
async function vectorsOfConfiguredModel(
  ctx: Ctx,
  items: readonly Embeddable[],
  isNeeded: boolean,
): Promise<{ model: string; vectors: MaybeVectors }[]> {
  const texts = items.map(({ content }) => content);
  try {
    const vectors = await embedWith(ctx.embedder, texts, 'document');
    return [{ model: ctx.embedder.model, vectors }];
  } catch (error) {
    if (isNeeded) throw error;
    ctx.log.warn({ err: error }, 'the configured model does not embed; the one before it does');
    return [];
  }
}

/**
 * A query by the account's model, whose name the index is to be asked with. Null where that model
 * cannot be made any more: then words alone find. Throws 500 embedding_failed.
 */
export async function embedQuery(
  ctx: Ctx,
  text: string,
): Promise<{ readonly model: string; readonly vector: Float32Array | null }> {
  const model = await modelRegistry.of(ctx).get(ctx.actor.accountId);
  const embedder = await modelRegistry.of(ctx).getEmbedder(model);
  const [vector] = embedder ? await embedWith(embedder, [text], 'query') : [];
  return { model, vector: vector ?? null };
}

async function embedWith(
  embedder: Embedder,
  texts: readonly string[],
  purpose: EmbeddingPurpose,
): Promise<Float32Array[]> {
  try {
    return await embedder.embed(texts, purpose);
  } catch (cause) {
    throw new AppError('embedding_failed', { cause });
  }
}

/** Stored texts by one model; null for those that it refuses. Throws 500 embedding_failed. */
export async function tryEmbedEach(
  embedder: Embedder,
  texts: readonly string[],
): Promise<(Float32Array | null)[]> {
  try {
    return await embedWith(embedder, texts, 'document');
  } catch (error) {
    if (!isTextRejected(error)) throw error;
    if (texts.length === 1) return [null];
    const each: (Float32Array | null)[] = [];
    for (const text of texts) each.push(...(await tryEmbedEach(embedder, [text])));
    return each;
  }
}

/** The model could be reached and refused this text: another one may fare better. */
export const isTextRejected = (error: unknown): error is AppError =>
  error instanceof AppError && error.cause instanceof EmbeddingFailed && !error.cause.unavailable;

function toUnitVector(embedding: readonly number[]): Float32Array {
  const length = Math.hypot(...embedding);
  return Float32Array.from(embedding, (value) => value / length);
}
