import type { Config } from '../../kernel/config.ts';
import { createEmbedder } from './create.ts';
import { type Embedder, EmbeddingFailed, type EmbeddingSettings } from './embedding.ts';
import {
  fromStoredSettings,
  inferSettingsFromName,
  type StoredEmbeddingSettings,
} from './stored-settings.ts';

type EmbeddingConfig = Pick<Config, 'embedding' | 'dataDir' | 'modelProcessEnv'>;

const machineSettings = ({ dataDir, modelProcessEnv: env }: EmbeddingConfig) => ({
  cacheDir: `${dataDir}/models`,
  env,
});

/** Settings of the configured model. */
export function toEmbeddingSettings(config: EmbeddingConfig): EmbeddingSettings {
  const { embedding } = config;
  switch (embedding.provider) {
    case 'static':
    case 'encoder':
      return { provider: embedding.provider };
    case 'openai': {
      const { apiKey, dimensions, batchMax: batchSize, ...rest } = embedding;
      return { ...rest, batchSize, ...omitNull({ apiKey }), ...omitNull({ dimensions }) };
    }
    case 'transformers': {
      const { dtype, ...rest } = embedding;
      return { ...rest, ...machineSettings(config), ...omitNull({ dtype }) };
    }
  }
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
