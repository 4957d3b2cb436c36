import { perApp } from '../../kernel/per-app.ts';
import {
  type Embedder,
  EmbeddingFailed,
  inferSettingsFromName,
} from '../../providers/embedding/index.ts';
import type { App } from '../ctx.ts';
import { accountModels } from './account-models.ts';
import { mapCosine } from './scale/cosine-map.ts';
import { createEncoderMap, measureModelScale } from './scale/model-scale.ts';
import { referenceTexts } from './scale/reference-texts.ts';
import { findModelScale, saveModelScale } from './store/models.ts';
import type { SearchWorkerRequest } from './thread/protocol.ts';

/** A search waits for the first measurement of a model, no longer than this. */
const timeoutMs = 30_000;
const retryMs = 60_000;

/** The ranker is fitted for the shipped models: their cosines are used as they are. */
export const isFitted = (model: string): boolean => inferSettingsFromName(model) !== null;

/** Whether the response depends on the scale of the model's cosines. */
const comparesVectors = (request: SearchWorkerRequest): boolean =>
  'query' in request &&
  ('vector' in request.query
    ? request.query.vector !== null
    : 'scale' in request.query && request.query.scale === 'encoder');

interface Attempt {
  readonly result: Promise<void>;
  readonly startedAtMs: number;
}

/** Measures the scales of models, once for all processes; they are stored with the model. */
class ModelScales {
  readonly #app: App;
  readonly #known = new Set<string>();
  readonly #attempts = new Map<string, Attempt>();

  constructor(app: App) {
    this.#app = app;
  }

  /** Whether `ensure` has nothing to do. */
  isKnown(model: string): boolean {
    return isFitted(model) || this.#known.has(model);
  }

  /** As `ensure`, for the model of a request's account, if the response depends on its scale. */
  async ensureFor(request: SearchWorkerRequest): Promise<void> {
    if (!comparesVectors(request)) return;
    await this.ensure(await accountModels.of(this.#app).get(request.accountId));
  }

  /**
   * Resolves when the scale of a model is stored. If it cannot be measured, cosines are used as
   * they are, and it is tried again after a minute.
   */
  async ensure(model: string): Promise<void> {
    if (this.isKnown(model)) return;
    const nowMs = this.#app.clock.monotonicMs();
    const last = this.#attempts.get(model);
    if (last && nowMs - last.startedAtMs < retryMs) return last.result;
    const result = this.#ensureStored(model).catch((error: unknown) =>
      this.#logFailure(error, model),
    );
    this.#attempts.set(model, { result, startedAtMs: nowMs });
    return result;
  }

  /**
   * Measures it again, for all processes. If the model rejects one of the texts, the scale stays as
   * it was. Throws EmbeddingFailed if the model is unavailable.
   */
  async measure(embedder: Embedder): Promise<void> {
    const { model } = embedder;
    if (isFitted(model)) return;
    try {
      await this.#measureAndStore(embedder, { ifOlder: false });
      this.#known.add(model);
    } catch (error) {
      if (!(error instanceof EmbeddingFailed) || error.unavailable) throw error;
      this.#logFailure(error, model);
    }
  }

  #logFailure(error: unknown, model: string): void {
    this.#app.log.warn({ err: error, model }, 'scale of the embedding model not measured');
  }

  /** A function from cosines of a model to those of the shipped encoder. */
  async encoderCosine(model: string): Promise<(cosine: number) => number> {
    await this.ensure(model);
    const { scale } = await findModelScale(this.#app.engine.db, model);
    const map = scale && createEncoderMap(scale);
    return (cosine) => (map ? mapCosine(map, cosine) : cosine);
  }

  async #ensureStored(model: string): Promise<void> {
    const { scale } = await findModelScale(this.#app.engine.db, model);
    if (scale?.version !== referenceTexts().version) {
      const embedder = await accountModels.of(this.#app).getEmbedder(model);
      if (!embedder) return;
      await this.#measureAndStore(embedder, { ifOlder: true });
    }
    this.#known.add(model);
  }

  async #measureAndStore(embedder: Embedder, condition: { ifOlder: boolean }): Promise<void> {
    const signal = condition.ifOlder ? AbortSignal.timeout(timeoutMs) : undefined;
    const scale = await measureModelScale(embedder, signal);
    await saveModelScale(this.#app.engine.db, embedder.model, scale, condition);
  }
}

export const modelScales = perApp<App, ModelScales>((app) => new ModelScales(app));
