import type { Config } from '../../kernel/config.ts';
import { createEmbedder } from './create.ts';
import { type Embedder, EmbeddingFailed, type EmbeddingSettings } from './embedding.ts';
import { fromStored, type StoredSettings, settingsByName } from './stored.ts';

type Configured = Pick<Config, 'embedding' | 'dataDir' | 'modelProcessEnv'>;

const ofMachine = ({ dataDir, modelProcessEnv: env }: Configured) => ({
  cacheDir: `${dataDir}/models`,
  env,
});

/** Of the model that the service is configured for. */
export function configuredSettings(config: Configured): EmbeddingSettings {
  const { embedding } = config;
  switch (embedding.provider) {
    case 'static':
      return { provider: 'static' };
    case 'openai': {
      const { apiKey, dimensions, batchMax: batchSize, ...rest } = embedding;
      return { ...rest, batchSize, ...given({ apiKey }), ...given({ dimensions }) };
    }
    case 'transformers': {
      const { dtype, ...rest } = embedding;
      return { ...rest, ...ofMachine(config), ...given({ dtype }) };
    }
  }
}

/** A setting that is null is left out. */
const given = <T>(setting: Record<string, T | null>): Record<string, T> =>
  Object.fromEntries(
    Object.entries(setting).filter((entry): entry is [string, T] => entry[1] !== null),
  );

/** Makes a model that is being left by what the database says of it; without that, by its name. */
export const makeFormer =
  (configured: EmbeddingSettings, config: Configured) =>
  async (model: string, stored: StoredSettings | null): Promise<Embedder> => {
    const settings = stored ?? settingsByName(model);
    if (settings === null) throw new EmbeddingFailed(`nothing is known of the model ${model}`);
    return createEmbedder(fromStored(settings, { configured, ...ofMachine(config) }));
  };
