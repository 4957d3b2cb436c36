import { createFakeClock, type FakeClock } from './fake-clock.ts';
import { type LanguageEndpoint, startLanguageEndpoint } from './language-endpoint.ts';
import { type engines, type Service, startService } from './service.ts';

/** A service with a language model, `small-1`, whose replies are scripted. */
export interface ModelService extends AsyncDisposable {
  readonly endpoint: LanguageEndpoint;
  readonly service: Service;
  readonly clock: FakeClock;
  /** Ends the pause after which the service calls an unreachable model again. */
  skipCooldown(): void;
}

/** The timeout of the model is one second. */
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
