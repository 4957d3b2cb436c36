import type { EmbeddingSettings, OpenAiSettings, TransformersSettings } from './embedding.ts';

/** How a model is made again, as the database keeps it: no secret, nothing of this machine. */
export type StoredEmbeddingSettings =
  | { provider: 'static' }
  | Omit<OpenAiSettings, 'apiKey'>
  | Omit<TransformersSettings, keyof MachineSettings>;

/** What every process knows for itself. */
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
 * What was stored, with what this process knows. The configured key goes to the host that it was
 * configured for, and to no other.
 */
export function fromStoredSettings(
  stored: StoredEmbeddingSettings,
  { configured, ...ofMachine }: { configured: EmbeddingSettings } & MachineSettings,
): EmbeddingSettings {
  if (stored.provider === 'transformers') return { ...stored, ...ofMachine };
  if (stored.provider === 'static') return stored;
  const isSameHost =
    configured.provider === 'openai' &&
    new URL(configured.url).origin === new URL(stored.url).origin;
  const apiKey = isSameHost ? configured.apiKey : undefined;
  return { ...stored, ...(apiKey === undefined ? {} : { apiKey }) };
}

/** All that the name of a model tells of how it is made; null: nothing. */
export const inferSettingsFromName = (model: string): StoredEmbeddingSettings | null =>
  model.startsWith('static-') ? { provider: 'static' } : null;
