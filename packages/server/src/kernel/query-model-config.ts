import type { SettingName } from './settings.ts';

export interface RerankConfig {
  readonly url: string;
  /** Null: an API that serves one model only, such as Text Embeddings Inference. */
  readonly model: string | null;
  readonly apiKey: string | null;
  readonly timeoutMs: number;
  /** The number of results that are reordered. */
  readonly top: number;
}

/** The model and the key require the URL. */
export function readRerankConfig(
  value: (name: SettingName) => string | null,
  issues: string[],
): RerankConfig | null {
  const url = value('MNEME_RERANK_URL');
  const model = value('MNEME_RERANK_MODEL');
  const apiKey = value('MNEME_RERANK_API_KEY');
  if (url === null) {
    if (model !== null) issues.push('MNEME_RERANK_URL is required with MNEME_RERANK_MODEL');
    if (apiKey !== null) issues.push('MNEME_RERANK_URL is required with MNEME_RERANK_API_KEY');
    return null;
  }
  const timeoutMs = Number(value('MNEME_RERANK_TIMEOUT_MS'));
  return { url, model, apiKey, timeoutMs, top: Number(value('MNEME_RERANK_TOP')) };
}
