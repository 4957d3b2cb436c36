import type { Db, Tx } from '../../database/index.ts';
import { perApp } from '../../kernel/per-app.ts';
import type { Embedder, StoredEmbeddingSettings } from '../../providers/embedding/index.ts';
import { type App, type Ctx, isInTransaction } from '../ctx.ts';
import {
  type EmbeddingModelRef,
  findAccountModel,
  findModel,
  getOrSetAccountModel,
  modelsInUse,
  saveModel,
} from './store/models.ts';

/** The account is searched by another model than what was to be written or asked was made by. */
export class ModelChanged extends Error {
  override readonly name = 'ModelChanged';
  readonly accountId: string;
  readonly model: string;

  constructor(accountId: string, model: string) {
    super(`The account's embedding model is ${model} now`);
    this.accountId = accountId;
    this.model = model;
  }
}

const retryMs = 60_000;

interface FormerEmbedder {
  readonly embedder: Promise<Embedder | null>;
  readonly createdAtMs: number;
}

/** By which model each account is searched, and the embedders of models that are being left. */
class ModelRegistry {
  readonly #app: App;
  /** As far as this process knows: who writes or asks by another one is told. */
  readonly #byAccount = new Map<string, string>();
  readonly #formerEmbedders = new Map<string, FormerEmbedder>();

  constructor(app: App) {
    this.#app = app;
    app.disposables.defer(async () => {
      for (const { embedder } of this.#formerEmbedders.values()) {
        await (await embedder)?.[Symbol.asyncDispose]();
      }
    });
  }

  async get(accountId: string): Promise<string> {
    const known = this.#byAccount.get(accountId);
    if (known !== undefined) return known;
    const { engine, embedder } = this.#app;
    const model = await getOrSetAccountModel(engine.db, accountId, embedder.model);
    // An account that is no more finds nothing, by whatever model.
    if (model !== null) this.set(accountId, model);
    return model ?? embedder.model;
  }

  set(accountId: string, model: string): void {
    this.#byAccount.set(accountId, model);
  }

  delete(accountId: string): void {
    this.#byAccount.delete(accountId);
  }

  /** Null where this process cannot make it any more; then it is tried again after a minute. */
  getEmbedder(model: string): Promise<Embedder | null> {
    const { embedder: configured, clock } = this.#app;
    if (model === configured.model) return Promise.resolve(configured);
    const nowMs = clock.monotonicMs();
    const known = this.#formerEmbedders.get(model);
    if (known && nowMs - known.createdAtMs < retryMs) return known.embedder;
    const embedder = this.#createEmbedder(model, known?.embedder);
    this.#formerEmbedders.set(model, { embedder, createdAtMs: nowMs });
    return embedder;
  }

  async #createEmbedder(model: string, known?: Promise<Embedder | null>): Promise<Embedder | null> {
    const former = await known;
    if (former) return former;
    const { embedding, log, engine } = this.#app;
    try {
      const record = await findModel(engine.db, model);
      const made = await embedding.make(model, record?.settings ?? null);
      const [sample] = await made.embed(['dimensions'], 'query');
      const isIt = [made.model, `${made.model}@${made.dimensions}`].includes(model);
      const dimensions = record?.dimensions ?? made.dimensions;
      if (isIt && sample?.length === dimensions) return withModelName(made, model);
      await made[Symbol.asyncDispose]();
      throw new Error(`what is made of its settings is ${made.model}`);
    } catch (error) {
      log.warn({ err: error, model }, 'a model that accounts are searched by cannot be made here');
      return null;
    }
  }
}

export const modelRegistry = perApp<App, ModelRegistry>((app) => new ModelRegistry(app));

/** The embedder under another name; itself where it has that name. */
function withModelName(embedder: Embedder, model: string): Embedder {
  if (embedder.model === model) return embedder;
  return {
    model,
    dimensions: embedder.dimensions,
    embed: (...given) => embedder.embed(...given),
    [Symbol.asyncDispose]: () => embedder[Symbol.asyncDispose](),
  };
}

/**
 * Keeps how the configured model is made, for when another one is. Where its name is known with
 * another number of dimensions it is another model, and the number is put to its name.
 */
export async function registerModel(
  { db, now }: { readonly db: Db; readonly now: Date },
  embedder: Embedder,
  settings: StoredEmbeddingSettings | null,
): Promise<Embedder> {
  const { model, dimensions } = embedder;
  const known = await findModel(db, model);
  const name = known && known.dimensions !== dimensions ? `${model}@${dimensions}` : model;
  await saveModel(db, { model: name, dimensions, settings }, now);
  return withModelName(embedder, name);
}

/** The account's model and the length of its vectors. */
export async function resolveAccountModel(ctx: Ctx): Promise<EmbeddingModelRef> {
  const { embedder, engine, actor } = ctx;
  const model = await modelRegistry.of(ctx).get(actor.accountId);
  if (model === embedder.model) return embedder;
  const record = await findModel(engine.db, model);
  return { model, dimensions: record?.dimensions ?? embedder.dimensions };
}

/** As `accountModel`, as one snapshot has it. */
export async function readModelInSnapshot(
  { embedder, actor }: Ctx,
  tx: Tx,
): Promise<EmbeddingModelRef> {
  const model = await findAccountModel(tx, actor.accountId);
  if (!model || model === embedder.model) return embedder;
  return (await findModel(tx, model)) ?? { model, dimensions: embedder.dimensions };
}

/** Models that accounts are searched by and that are not the configured one. */
export const listOutdatedModels = async (
  app: App,
): Promise<{ model: string; accounts: number }[]> =>
  (await modelsInUse(app.engine.db)).filter(({ model }) => model !== app.embedder.model);

const attemptsMax = 3;

/**
 * Runs what embeds and then writes or asks; once more, with what it embeds anew, where the account
 * has got another model in between. In a caller's transaction it is the caller's to run again.
 */
export async function retryOnModelChange<T>(ctx: Ctx, fn: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await fn();
    } catch (error) {
      if (!(error instanceof ModelChanged)) throw error;
      modelRegistry.of(ctx).set(error.accountId, error.model);
      if (attempt === attemptsMax || isInTransaction(ctx)) throw error;
    }
  }
}
