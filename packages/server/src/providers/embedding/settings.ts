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

/** Of the model that the service is configured for. */
export function toEmbeddingSettings(config: EmbeddingConfig): EmbeddingSettings {
  const { embedding } = config;
  switch (embedding.provider) {
    case 'static':
      return { provider: 'static' };
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

/** A setting that is null is left out. */
const omitNull = <T>(setting: Record<string, T | null>): Record<string, T> =>
  Object.fromEntries(
    Object.entries(setting).filter((entry): entry is [string, T] => entry[1] !== null),
  );

/** Makes a model that is being left by what the database says of it; without that, by its name. */
export const createFormerEmbedderFactory =
  (configured: EmbeddingSettings, config: EmbeddingConfig) =>
  async (model: string, stored: StoredEmbeddingSettings | null): Promise<Embedder> => {
    const settings = stored ?? inferSettingsFromName(model);
    if (settings === null) throw new EmbeddingFailed(`nothing is known of the model ${model}`);
    return createEmbedder(fromStoredSettings(settings, { configured, ...machineSettings(config) }));
  };
