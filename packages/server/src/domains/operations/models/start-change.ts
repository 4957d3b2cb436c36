import { advisoryLock } from '../../../database/index.ts';
import { cancelJobs, enqueueJob } from '../../../jobs/job-queue.ts';
import { AppError } from '../../../kernel/errors.ts';
import {
  createEmbedder,
  type Embedder,
  EmbeddingFailed,
  type EmbeddingSettings,
  resolveEmbeddingSettings,
  resolveSettingsOfName,
  toStoredSettings,
} from '../../../providers/embedding/index.ts';
import { type Ctx, withTransaction } from '../../ctx.ts';
import { registerEmbeddingModel } from '../../search-index/index.ts';
import { initialState, queueReembedding, reembedKind, sweepsMax } from '../reembed.ts';
import {
  type ChosenModel,
  changeModelKind,
  choiceLock,
  configuredModel,
  readModelChoice,
  saveModelChoice,
} from './choice.ts';
import { toComparableSettings } from './open.ts';

export interface ModelRequest {
  readonly model: string;
  readonly dimensions?: number | undefined;
}

/**
 * Creates the embedder of a model that an operator named, and embeds one text. Throws 404
 * not_found, or 409 conflict with the reason if the model does not work here.
 */
export async function createNamedEmbedder(
  { config }: Pick<Ctx, 'config'>,
  { model: name, dimensions = null }: { model: string; dimensions?: number | null | undefined },
): Promise<{ embedder: Embedder; settings: EmbeddingSettings }> {
  try {
    const settings = await resolveSettingsOfName(config, name, dimensions);
    const embedder = await createEmbedder(settings);
    try {
      await embedder.embed(['dimensions'], 'query');
      return { embedder, settings };
    } catch (error) {
      await embedder[Symbol.asyncDispose]();
      throw error;
    }
  } catch (cause) {
    if (!(cause instanceof EmbeddingFailed)) throw cause;
    throw new AppError('conflict', { message: `${toSentence(cause.message)}.`, cause });
  }
}

const toSentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/**
 * Changes the model of all accounts while the service runs. From now on new contents get vectors
 * of both models; searches use the former one until a job has embedded everything. Throws 409
 * conflict if another change runs.
 */
export async function startModelChange(
  ctx: Ctx,
  request: ModelRequest,
): Promise<{ job_id: string }> {
  const { embedder: created, settings } = await createNamedEmbedder(ctx, request);
  const configured = await resolveEmbeddingSettings(ctx.config);
  // Known now: a start needs no call of an endpoint to determine them.
  const complete =
    settings.provider === 'openai' ? { ...settings, dimensions: created.dimensions } : settings;
  const stored = toStoredSettings(complete);
  const isConfigured = toComparableSettings(settings) === toComparableSettings(configured);
  const target: ChosenModel = isConfigured
    ? configuredModel
    : { name: request.model, settings: stored };
  const write = { db: ctx.engine.db, now: ctx.clock.now() };
  const embedder = await registerEmbeddingModel(write, created, stored);
  const plan = { target, embedder, configured: toComparableSettings(configured) };
  let isUsed = false;
  const response = await queueChange(ctx, plan, () => {
    isUsed = true;
  }).catch(async (error: unknown) => {
    await created[Symbol.asyncDispose]();
    throw error;
  });
  if (isUsed) {
    const comparable = isConfigured ? plan.configured : JSON.stringify(stored);
    ctx.embedding.open.use(embedder, comparable);
  }
  if (!isUsed) await created[Symbol.asyncDispose]();
  return response;
}

interface ChangePlan {
  readonly target: ChosenModel;
  readonly embedder: Embedder;
  readonly configured: string;
}

/** @param onStart called if a change begins, so that the new embedder is needed */
const queueChange = (
  ctx: Ctx,
  { target, embedder, configured }: ChangePlan,
  onStart: () => void,
): Promise<{ job_id: string }> =>
  withTransaction(ctx, async (inTx) => {
    const { tx, ids, clock, actor } = inTx;
    await advisoryLock(tx, choiceLock);
    const choice = await readModelChoice(tx);
    if (choice?.change) {
      const { jobId, model } = choice.change;
      if (model === embedder.model) return { job_id: jobId };
      throw new AppError('conflict', {
        message:
          `A change to ${choice.change.target.name} is running: wait for the job ${jobId}, or ` +
          'cancel it.',
      });
    }
    const current = choice?.current ?? configuredModel;
    if (ctx.embedding.open.current.model === embedder.model) {
      await saveModelChoice(tx, { configured, current: target, change: null });
      return { job_id: await queueReembedding(inTx, actor.accountId) };
    }
    const now = clock.now();
    await cancelJobs(tx, reembedKind, now);
    const jobId = ids.uuid();
    // One pass over the accounts is enough, since the next stage has its own.
    const state = { ...initialState(embedder), sweeps: sweepsMax };
    const payload = { ...state, stage: 'grow', name: target.name };
    const job = { id: jobId, accountId: actor.accountId, kind: changeModelKind, spaces: null };
    await enqueueJob(tx, { ...job, payload, runAt: now });
    const change = { target, model: embedder.model, jobId };
    await saveModelChoice(tx, { configured, current, change });
    onStart();
    return { job_id: jobId };
  });
