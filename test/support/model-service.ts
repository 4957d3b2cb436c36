import { createFakeClock, type FakeClock } from './fake-clock.ts';
import { type LanguageEndpoint, startLanguageEndpoint } from './language-endpoint.ts';
import { type engines, type Service, startService } from './service.ts';

/** A service that asks a language model, `small-1`, which answers as a test has written. */
export interface ModelService extends AsyncDisposable {
  readonly endpoint: LanguageEndpoint;
  readonly service: Service;
  readonly clock: FakeClock;
  /** One that was out of reach is asked again after a rest. */
  skipCooldown(): void;
}

/** The model has a second for an answer. */
export async function startModelService(engine: (typeof engines)[number]): Promise<ModelService> {
  const endpoint = await startLanguageEndpoint();
  const clock = createFakeClock();
  const env = {
    MNEME_LLM_URL: endpoint.url,
    MNEME_LLM_MODEL: 'small-1',
    MNEME_LLM_TIMEOUT_MS: '1000',
  };
  const service = await startService(engine, { env, overrides: { clock } });
  return {
    endpoint,
    service,
    clock,
    skipCooldown() {
      endpoint.releasePending();
      clock.advance(60_000);
    },
    async [Symbol.asyncDispose]() {
      await service.stop();
      await endpoint[Symbol.asyncDispose]();
    },
  };
}
