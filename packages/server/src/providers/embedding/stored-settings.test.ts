import { describe, expect, it } from 'vitest';
import type { EmbeddingSettings } from './embedding.ts';
import { fromStoredSettings, inferSettingsFromName, toStoredSettings } from './stored-settings.ts';

const openai = (url: string, apiKey = 'secret'): EmbeddingSettings => ({
  provider: 'openai',
  url,
  apiKey,
  model: 'small',
  timeoutMs: 1_000,
  batchSize: 8,
});
const cacheDir = '/here/models';

describe('stored settings of a model', () => {
  it('contain no key', () => {
    expect(JSON.stringify(toStoredSettings(openai('https://a.example/v1')))).not.toContain(
      'secret',
    );
  });

  it('use the configured key for its own host', () => {
    const configured = openai('https://a.example/v2', 'newer');
    const stored = toStoredSettings(openai('https://a.example/v1'));
    expect(fromStoredSettings(stored, { configured, cacheDir })).toMatchObject({ apiKey: 'newer' });
  });

  it.each([
    ['another host', openai('https://b.example/v1')],
    ['another port', openai('https://a.example:8443/v1')],
    ['plain text', openai('http://a.example/v1')],
    ['another provider', { provider: 'encoder' } as const],
  ])('get no key that was configured for %s', (_what, configured) => {
    const stored = toStoredSettings(openai('https://a.example/v1'));
    expect(fromStoredSettings(stored, { configured, cacheDir })).not.toHaveProperty('apiKey');
  });

  it('contain no folder and no environment of this machine', () => {
    const env = { HF_TOKEN: 'secret' };
    const settings = { provider: 'transformers', model: 'x', cacheDir: '/there', env } as const;
    const stored = toStoredSettings(settings);
    expect(stored).toEqual({ provider: 'transformers', model: 'x' });
    const configured = { provider: 'static' } as const;
    expect(fromStoredSettings(stored, { configured, cacheDir, env })).toEqual({
      ...settings,
      cacheDir,
    });
  });

  it('of the shipped vectors are inferred from their name', () => {
    expect(inferSettingsFromName('static-en-192@1')).toEqual({ provider: 'static' });
    expect(inferSettingsFromName('openai:small')).toBeNull();
  });
});
