import type {
  EmbeddingSettings,
  OpenAiSettings,
  ShippedModelSettings,
  TransformersSettings,
} from './embedding.ts';

/**
 * Settings to recreate a model, as stored in the database: no secrets, nothing specific to a
 * machine.
 */
export type StoredEmbeddingSettings =
  | ShippedModelSettings
  | Omit<OpenAiSettings, 'apiKey'>
  | Omit<TransformersSettings, keyof MachineSettings>;

/** Settings that each process determines itself. */
type MachineSettings = Pick<TransformersSettings, 'cacheDir' | 'env'>;

export function toStoredSettings(settings: EmbeddingSettings): StoredEmbeddingSettings {
  if (settings.provider === 'openai') {
    const { apiKey: _, ...stored } = settings;
    return stored;
  }
  if (settings.provider === 'transformers') {
    const { cacheDir: _, env: __, ...stored } = settings;
    return stored;
  }
  return settings;
}

/**
 * Combines stored settings with those of this process. The configured key is only used for the host
 * that it was configured for.
 */
export function fromStoredSettings(
  stored: StoredEmbeddingSettings,
  { configured, ...ofMachine }: { configured: EmbeddingSettings } & MachineSettings,
): EmbeddingSettings {
  if (stored.provider === 'transformers') return { ...stored, ...ofMachine };
  if (stored.provider !== 'openai') return stored;
  const isSameHost =
    configured.provider === 'openai' &&
    new URL(configured.url).origin === new URL(stored.url).origin;
  const apiKey = isSameHost ? configured.apiKey : undefined;
  return { ...stored, ...(apiKey === undefined ? {} : { apiKey }) };
}

/** Settings inferred from a model name; null if there are none. */
export function inferSettingsFromName(model: string): StoredEmbeddingSettings | null {
  const provider = (['static', 'encoder'] as const).find((name) => model.startsWith(`${name}-`));
  return provider ? { provider } : null;
}
