import { stat } from 'node:fs/promises';
import path from 'node:path';
import type { Config } from '../../kernel/config.ts';
import { createEmbedder } from './create.ts';
import {
  type Embedder,
  EmbeddingFailed,
  type EmbeddingSettings,
  type TransformersSettings,
} from './embedding.ts';
import {
  findInstalledModel,
  modelsFolder,
  toInstalledSettings,
} from './models/installed-models.ts';
import { findKnownModel } from './models/known-models.ts';
import { readModelFiles } from './models/model-files.ts';
import {
  findLocalModel,
  type RecipeOverrides,
  requirePossibleDimensions,
  withEndpointRecipe,
  withLocalRecipe,
} from './recipe.ts';
import {
  fromStoredSettings,
  inferSettingsFromName,
  type StoredEmbeddingSettings,
} from './stored-settings.ts';

type EmbeddingConfig = Pick<
  Config,
  'embedding' | 'embeddingEndpoint' | 'dataDir' | 'modelProcessEnv'
>;
type LocalConfig = Extract<Config['embedding'], { provider: 'transformers' }>;

const machineSettings = ({ dataDir, modelProcessEnv: env }: EmbeddingConfig) => ({
  cacheDir: modelsFolder(dataDir),
  env,
});

/**
 * Settings of the configured model, with the recipe that its files or the table of known models
 * give it.
 * @throws EmbeddingFailed if the model has no such recipe
 */
export async function resolveEmbeddingSettings(
  config: EmbeddingConfig,
): Promise<EmbeddingSettings> {
  const { embedding } = config;
  switch (embedding.provider) {
    case 'static':
    case 'encoder':
      return { provider: embedding.provider };
    case 'openai': {
      const { provider, url, model, timeoutMs, batchMax: batchSize, overrides } = embedding;
      const optional = {
        ...omitNull({ apiKey: embedding.apiKey }),
        ...omitNull({ dimensions: overrides.dimensions }),
      };
      const settings = { provider, url, model, timeoutMs, batchSize, ...optional };
      return withEndpointRecipe(settings, overrides);
    }
    case 'transformers':
      return resolveLocalSettings(embedding, machineSettings(config));
  }
}

/** The name of the configured model, in addition to those of the table. */
const configuredName = 'configured';

const noOverrides: RecipeOverrides = {
  queryPrefix: null,
  documentPrefix: null,
  pooling: null,
  dimensions: null,
};

/**
 * Settings of a model by its name: a shipped one, an installed one, one behind the endpoint of
 * the settings, or `configured`.
 * @throws EmbeddingFailed if there is no such model, or if it is not usable here
 */
export async function resolveSettingsOfName(
  config: EmbeddingConfig,
  name: string,
  dimensions: number | null,
): Promise<EmbeddingSettings> {
  if (name === configuredName) return resolveEmbeddingSettings(config);
  if (name === 'encoder' || name === 'static') return { provider: name };
  const overrides = { ...noOverrides, dimensions };
  const known = findKnownModel(name);
  if (known?.provider === 'openai') {
    const { url, apiKey, timeoutMs, batchMax: batchSize } = config.embeddingEndpoint;
    if (url === null) {
      throw new EmbeddingFailed(
        `${known.name} needs an endpoint: set MNEME_EMBEDDING_URL to ${known.url} and ` +
          'MNEME_EMBEDDING_API_KEY to a key, and restart the server',
      );
    }
    const optional = { ...omitNull({ apiKey }), ...omitNull({ dimensions }) };
    const model = known.name;
    const settings = { provider: 'openai' as const, url, model, timeoutMs, batchSize };
    return withEndpointRecipe({ ...settings, ...optional }, overrides);
  }
  const installed = await findInstalledModel(modelsFolder(config.dataDir), known?.name ?? name);
  if (installed === null) {
    throw new EmbeddingFailed(
      known === undefined
        ? `unknown model ${name}: \`mneme models list\` lists the known and installed ones`
        : `${known.name} is not installed: run \`mneme models install ${known.name}\` on the ` +
            'machine of the server',
    );
  }
  if (known) requirePossibleDimensions(known, dimensions);
  const { cacheDir, env } = machineSettings(config);
  const truncateTo = dimensions === installed.dimensions ? null : dimensions;
  return { ...toInstalledSettings(installed, cacheDir, truncateTo), env };
}

/** An installed model by its name or an alias, or a folder, or a model of the hub. */
async function resolveLocalSettings(
  { model, dtype, overrides }: LocalConfig,
  machine: { cacheDir: string; env: Readonly<Record<string, string>> },
): Promise<TransformersSettings> {
  const known = findLocalModel(model);
  const name = known?.name ?? model;
  const isName = !/[/\\]/.test(name);
  const installed = isName ? await findInstalledModel(machine.cacheDir, name) : null;
  if (installed) {
    const { pooling, prefixes } = installed;
    const replaced = {
      ...installed,
      pooling: overrides.pooling ?? pooling,
      prefixes: {
        query: overrides.queryPrefix ?? prefixes.query,
        document: overrides.documentPrefix ?? prefixes.document,
      },
      dtype: dtype ?? installed.dtype,
    };
    const { env, cacheDir } = machine;
    return { ...toInstalledSettings(replaced, cacheDir, overrides.dimensions), env };
  }
  const isFolder = await stat(model).then(
    (entry) => entry.isDirectory(),
    () => false,
  );
  const isOnlyName = !isFolder && known !== undefined && isName && !model.includes('/');
  const settings: TransformersSettings = {
    provider: 'transformers',
    model: isOnlyName ? known.repository : model,
    ...machine,
    ...omitNull({ dtype }),
  };
  const files = isFolder ? await readModelFiles(model) : {};
  return withLocalRecipe(settings, overrides, isFolder ? path.basename(model) : model, files);
}

/** Omits settings that are null. */
const omitNull = <T>(setting: Record<string, T | null>): Record<string, T> =>
  Object.fromEntries(
    Object.entries(setting).filter((entry): entry is [string, T] => entry[1] !== null),
  );

/**
 * Creates the embedder of a former model from its stored settings or, without them, from its name.
 */
export const createPreviousEmbedderFactory =
  (configured: EmbeddingSettings, config: EmbeddingConfig) =>
  async (model: string, stored: StoredEmbeddingSettings | null): Promise<Embedder> => {
    const settings = stored ?? inferSettingsFromName(model);
    if (settings === null)
      throw new EmbeddingFailed(`no settings are stored for the model ${model}`);
    return createEmbedder(fromStoredSettings(settings, { configured, ...machineSettings(config) }));
  };
