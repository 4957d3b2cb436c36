import type { Engine } from '../../../database/index.ts';
import { endJob } from '../../../jobs/job-queue.ts';
import type { Clock } from '../../../kernel/clock.ts';
import type { Config } from '../../../kernel/config.ts';
import type { Log } from '../../../kernel/log.ts';
import {
  createEmbedder,
  type Embedder,
  EmbeddingFailed,
  type EmbeddingSettings,
  fromStoredSettings,
  modelsFolder,
  resolveEmbeddingSettings,
  toStoredSettings,
} from '../../../providers/embedding/index.ts';
import { registerEmbeddingModel } from '../../search-index/index.ts';
import {
  type ChosenModel,
  deleteModelChoice,
  effectiveModel,
  type ModelChoice,
  readModelChoice,
  saveModelChoice,
} from './choice.ts';

interface OpenDeps {
  readonly config: Config;
  readonly engine: Engine;
  readonly clock: Clock;
  readonly log: Log;
}

/** The configured model in a form that can be compared. */
export const toComparableSettings = (settings: EmbeddingSettings): string =>
  JSON.stringify(toStoredSettings(settings));

/** Settings of a chosen model in this process. */
export const settingsOfChoice = (
  { settings }: ChosenModel,
  configured: EmbeddingSettings,
  config: Config,
): EmbeddingSettings =>
  settings === null
    ? configured
    : fromStoredSettings(settings, {
        configured: toKeyOwner(configured, config),
        cacheDir: modelsFolder(config.dataDir),
        env: config.modelProcessEnv,
      });

/** The key of the settings belongs to their endpoint, also if another model is configured. */
function toKeyOwner(configured: EmbeddingSettings, config: Config): EmbeddingSettings {
  const { url, apiKey, timeoutMs, batchMax: batchSize } = config.embeddingEndpoint;
  if (configured.provider === 'openai' || url === null) return configured;
  const key = apiKey === null ? {} : { apiKey };
  return { provider: 'openai', url, ...key, model: '', timeoutMs, batchSize };
}

/** The embedder of a process at its start. */
interface OpenedModel {
  readonly embedder: Embedder;
  /** The settings with the key for the host of its endpoint. */
  readonly keyOwner: EmbeddingSettings;
  /** For comparisons; null: the caller's own embedder. */
  readonly comparable: string | null;
}

/**
 * Creates the embedder that this process starts with: of the chosen model, if operators chose one
 * since the configuration last changed, otherwise of the configured one.
 * @throws EmbeddingFailed if it cannot be created
 */
export async function openEmbeddingModel(
  deps: OpenDeps,
  override: Embedder | undefined,
): Promise<OpenedModel> {
  const { config, engine, clock } = deps;
  const configured = await resolveEmbeddingSettings(config);
  const keyOwner = toKeyOwner(configured, config);
  const write = { db: engine.db, now: clock.now() };
  if (override) {
    const embedder = await registerEmbeddingModel(write, override, null);
    return { embedder, keyOwner, comparable: null };
  }
  const choice = await readValidChoice(deps, configured);
  const { settings, created } = await createFirst(deps, choice, configured);
  const embedder = await registerEmbeddingModel(write, created, toStoredSettings(settings));
  return { embedder, keyOwner, comparable: toComparableSettings(settings) };
}

/** The target of a change if it works; otherwise the change is undone. */
async function createFirst(
  deps: OpenDeps,
  choice: ModelChoice | null,
  configured: EmbeddingSettings,
): Promise<{ settings: EmbeddingSettings; created: Embedder }> {
  if (choice === null) return { settings: configured, created: await createEmbedder(configured) };
  const settings = settingsOfChoice(effectiveModel(choice), configured, deps.config);
  try {
    return { settings, created: await createEmbedder(settings) };
  } catch (error) {
    if (!(error instanceof EmbeddingFailed)) throw error;
    if (choice.change === null) {
      throw new EmbeddingFailed(
        `${error.message}. ${choice.current.name} was chosen by \`mneme models use\`: start once ` +
          'with MNEME_EMBEDDING_RESET=true to return to the configured model',
        { cause: error },
      );
    }
    const reason = `The change to ${choice.change.target.name} was undone: ${error.message}.`;
    deps.log.warn({ err: error }, 'change of the embedding model undone');
    await endChange(deps, choice.change.jobId, reason, { ...choice, change: null });
    return createFirst(deps, { ...choice, change: null }, configured);
  }
}

/** Ends the job of a change, and stores the choice that is left; null: none. */
const endChange = (
  { engine, clock }: OpenDeps,
  jobId: string | undefined,
  error: string,
  left: ModelChoice | null,
): Promise<void> =>
  engine.transaction(async (tx) => {
    await (left === null ? deleteModelChoice(tx) : saveModelChoice(tx, left));
    if (jobId) await endJob(tx, jobId, { status: 'failed', error, now: clock.now() });
  });

/** Null without a choice, or if the configuration changed since then. */
async function readValidChoice(
  deps: OpenDeps,
  configured: EmbeddingSettings,
): Promise<ModelChoice | null> {
  const choice = await readModelChoice(deps.engine.db);
  if (choice === null) return null;
  const isSame = choice.configured === toComparableSettings(configured);
  if (isSame && !deps.config.embeddingReset) return choice;
  const reason = 'Another model was configured before the change was complete.';
  await endChange(deps, choice.change?.jobId, reason, null);
  const fields = { chosen: choice.current.name };
  deps.log.warn(fields, 'chosen embedding model replaced by the configured one');
  return null;
}
