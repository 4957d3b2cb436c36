import { planLimits, utf8Bytes } from '@mneme/contract';
import { AppError } from '../../kernel/errors.ts';
import { EmbeddingFailed } from '../../providers/embedding/index.ts';
import type { App, Ctx } from '../ctx.ts';
import { analyse, analyseInTurns, type NewDocument } from '../index/index.ts';

export interface Embeddable {
  readonly content: string;
  /** The caller's own vector, used as given. */
  readonly embedding?: readonly number[] | undefined;
  /** When it was said: what "yesterday" in it is relative to. */
  readonly occurred_at: Date;
}

/** Throws 422 content_too_large beyond what the plan allows. */
export function requireContentFits({ actor }: Ctx, content: string): void {
  const max = planLimits[actor.plan].content_bytes;
  const bytes = utf8Bytes(content);
  if (bytes <= max) return;
  throw new AppError('content_too_large', {
    details: { max_bytes: max, received_bytes: bytes },
  });
}

/** Throws 422 invalid_embedding: another length than the model's, or a vector without direction. */
export function requireFittingVector(app: App, embedding: readonly number[] | undefined): void {
  if (!embedding) return;
  const { dimensions } = app.embedder;
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

/** Longer texts give the event loop a turn now and then, so that others are answered meanwhile. */
const longCharacters = 20_000;

/**
 * Terms and vectors, in the order of the items. Throws 500 embedding_failed when the provider
 * does; nothing has been stored by then.
 */
export async function embedContents(ctx: Ctx, items: readonly Embeddable[]): Promise<Contents[]> {
  const texts = items.filter(({ embedding }) => !embedding).map(({ content }) => content);
  const vectors = await embedTexts(ctx, texts, 'document');
  const contents: Contents[] = [];
  for (const { content, embedding, occurred_at: at } of items) {
    const vector = embedding ? unit(embedding) : vectors.shift();
    if (!vector) throw new AppError('embedding_failed');
    const isLong = content.length > longCharacters;
    const terms = isLong ? await analyseInTurns(content, at) : analyse(content, at);
    contents.push({ terms, vectors: [{ model: ctx.embedder.model, vector }] });
  }
  return contents;
}

export async function embedTexts(
  ctx: Ctx,
  texts: readonly string[],
  purpose: 'document' | 'query',
): Promise<Float32Array[]> {
  try {
    return await ctx.embedder.embed(texts, purpose);
  } catch (cause) {
    throw new AppError('embedding_failed', { cause });
  }
}

/** The model could be reached and refused this text: another one may fare better. */
export const isFaultOfText = (error: unknown): error is AppError =>
  error instanceof AppError && error.cause instanceof EmbeddingFailed && !error.cause.unavailable;

function unit(embedding: readonly number[]): Float32Array {
  const length = Math.hypot(...embedding);
  return Float32Array.from(embedding, (value) => value / length);
}
