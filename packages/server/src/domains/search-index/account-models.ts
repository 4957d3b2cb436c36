import type { Db, Tx } from '../../database/index.ts';
import { perApp } from '../../kernel/per-app.ts';
import type { Embedder, StoredEmbeddingSettings } from '../../providers/embedding/index.ts';
import { type App, type Ctx, isInTransaction } from '../ctx.ts';
import {
  type EmbeddingModelRef,
  findAccountModel,
  findEmbeddingModel,
  getOrSetAccountModel,
  modelsInUse,
  saveEmbeddingModel,
} from './store/models.ts';

/** The account uses another model than the one that made the vector to be written or searched. */
export class ModelChanged extends Error {
  override readonly name = 'ModelChanged';
  readonly accountId: string;
  readonly model: string;

  constructor(accountId: string, model: string) {
    super(`The account's embedding model changed to ${model}`);
    this.accountId = accountId;
    this.model = model;
  }
}

const retryMs = 60_000;

interface FormerEmbedder {
  readonly embedder: Promise<Embedder | null>;
  readonly createdAtMs: number;
}

/** The model of each account, and embedders of models that are being replaced. */
class AccountModels {
  readonly #app: App;
  /** As far as this process knows: writes and searches by another model fail with ModelChanged. */
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
    const cached = this.#byAccount.get(accountId);
    if (cached !== undefined) return cached;
    const { engine } = this.#app;
    const embedder = this.#app.embedding.open.current;
    const model = await getOrSetAccountModel(engine.db, accountId, embedder.model);
    // An account that does not exist any more has no results in any model.
    if (model !== null) this.set(accountId, model);
    return model ?? embedder.model;
  }

  set(accountId: string, model: string): void {
    this.#byAccount.set(accountId, model);
  }

  delete(accountId: string): void {
    this.#byAccount.delete(accountId);
  }

  /** Null if this process cannot create the embedder; it tries again after a minute. */
  getEmbedder(model: string): Promise<Embedder | null> {
    const { embedding, clock } = this.#app;
    const open = embedding.open.find(model);
    if (open) return Promise.resolve(open);
    const nowMs = clock.monotonicMs();
    const pending = this.#formerEmbedders.get(model);
    if (pending && nowMs - pending.createdAtMs < retryMs) return pending.embedder;
    const embedder = this.#createEmbedder(model, pending?.embedder);
    this.#formerEmbedders.set(model, { embedder, createdAtMs: nowMs });
    return embedder;
  }

  async #createEmbedder(model: string, known?: Promise<Embedder | null>): Promise<Embedder | null> {
    const existing = await known;
    if (existing) return existing;
    const { embedding, log, engine } = this.#app;
    try {
      const record = await findEmbeddingModel(engine.db, model);
      const created = await embedding.make(model, record?.settings ?? null);
      const [sample] = await created.embed(['dimensions'], 'query');
      const isRequestedModel = [created.model, `${created.model}@${created.dimensions}`].includes(
        model,
      );
      const dimensions = record?.dimensions ?? created.dimensions;
      if (isRequestedModel && sample?.length === dimensions) return withModelName(created, model);
      await created[Symbol.asyncDispose]();
      throw new Error(`its stored settings create ${created.model} instead`);
    } catch (error) {
      log.warn({ err: error, model }, 'embedding model in use not available');
      return null;
    }
  }
}

export const accountModels = perApp<App, AccountModels>((app) => new AccountModels(app));

/** The embedder under another name; the same object if it has that name already. */
function withModelName(embedder: Embedder, model: string): Embedder {
  if (embedder.model === model) return embedder;
  const { embedProvisionally } = embedder;
  return {
    model,
    dimensions: embedder.dimensions,
    embed: (...args) => embedder.embed(...args),
    ...(embedProvisionally && {
      embedProvisionally: (texts: readonly string[]) => embedProvisionally.call(embedder, texts),
    }),
    [Symbol.asyncDispose]: () => embedder[Symbol.asyncDispose](),
  };
}

/**
 * Stores the settings of the configured model, for when another one is configured. If the name is
 * known with another number of dimensions, it is another model: the number is appended to its name.
 */
export async function registerEmbeddingModel(
  { db, now }: { readonly db: Db; readonly now: Date },
  embedder: Embedder,
  settings: StoredEmbeddingSettings | null,
): Promise<Embedder> {
  const { model, dimensions } = embedder;
  const existing = await findEmbeddingModel(db, model);
  const name = existing && existing.dimensions !== dimensions ? `${model}@${dimensions}` : model;
  await saveEmbeddingModel(db, { model: name, dimensions, settings }, now);
  return withModelName(embedder, name);
}

/** The account's model and its number of dimensions. */
export async function resolveAccountModel(ctx: Ctx): Promise<EmbeddingModelRef> {
  const { embedder, engine, actor } = ctx;
  const model = await accountModels.of(ctx).get(actor.accountId);
  if (model === embedder.model) return embedder;
  const record = await findEmbeddingModel(engine.db, model);
  return { model, dimensions: record?.dimensions ?? embedder.dimensions };
}

/** As `resolveAccountModel`, in one snapshot. */
export async function readModelInSnapshot(
  { embedder, actor }: Ctx,
  tx: Tx,
): Promise<EmbeddingModelRef> {
  const model = await findAccountModel(tx, actor.accountId);
  if (!model || model === embedder.model) return embedder;
  return (await findEmbeddingModel(tx, model)) ?? { model, dimensions: embedder.dimensions };
}

/** Models that accounts use and that are not the configured one. */
export const listOutdatedModels = async (
  app: App,
): Promise<{ model: string; accounts: number }[]> =>
  (await modelsInUse(app.engine.db)).filter(({ model }) => model !== app.embedder.model);

/** The models that accounts use. */
export const listModelsInUse = async ({ engine }: Pick<App, 'engine'>): Promise<string[]> =>
  (await modelsInUse(engine.db)).map(({ model }) => model);

const attemptsMax = 3;

/**
 * Runs a function that embeds and then writes or searches; runs it once more if the account's model
 * changes in between. Inside a caller's transaction the caller must retry.
 */
export async function retryOnModelChange<T>(ctx: Ctx, fn: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await fn();
    } catch (error) {
      if (!(error instanceof ModelChanged)) throw error;
      accountModels.of(ctx).set(error.accountId, error.model);
      if (attempt === attemptsMax || isInTransaction(ctx)) throw error;
    }
  }
}
