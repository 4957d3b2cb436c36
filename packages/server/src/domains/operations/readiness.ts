import type { ResponseBody, routes } from '@mneme/contract';
import { perApp } from '../../kernel/per-app.ts';
import type { App } from '../ctx.ts';
import { lifecycle, withTimeout } from './health.ts';

type Readiness = ResponseBody<typeof routes.operations.readyz>;

/** The running check, if any: callers share it, since it needs no key and has no limit. */
const readinessState = perApp<App, { running: Promise<Readiness> | null }>(() => ({
  running: null,
}));

/** Whether requests can be served: the database with its queue, its schema, no shutdown. */
export function checkReadiness(app: App): Promise<Readiness> {
  const state = readinessState.of(app);
  state.running ??= readReadiness(app).finally(() => {
    state.running = null;
  });
  return state.running;
}

async function readReadiness(app: App): Promise<Readiness> {
  const { schemaChanged } = app.engine;
  const { draining } = lifecycle.of(app);
  const checks: Readiness['checks'] = {
    database: await checkDatabase(app),
    schema: schemaChanged === null ? { ok: true } : { ok: false, detail: schemaChanged.message },
    shutdown: draining ? { ok: false, detail: 'The process is about to stop.' } : { ok: true },
  };
  return { ready: Object.values(checks).every(({ ok }) => ok), checks };
}

async function checkDatabase(app: App): Promise<Readiness['checks'][string]> {
  const startedMs = app.clock.monotonicMs();
  try {
    await withTimeout(app, app.engine.ping());
  } catch (error) {
    app.log.debug({ err: error }, 'database unreachable');
    return { ok: false, detail: 'The database does not respond.' };
  }
  return { ok: true, wait_ms: Math.round(app.clock.monotonicMs() - startedMs) };
}
