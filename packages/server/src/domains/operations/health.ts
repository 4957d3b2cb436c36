import type { Health } from '@mneme/contract';
import { service } from '../../kernel/service.ts';
import type { App } from '../ctx.ts';

/** When the app began, and whether it is on its way out. */
export const lifecycle = service((app: App) => ({
  startedAtMs: app.clock.monotonicMs(),
  draining: false,
}));

/** `unavailable` without a database; everything else is in the checks. */
export async function checkHealth(app: App): Promise<Health> {
  const database = await app.engine.ping().then(
    () => ({ ok: true }),
    (error: unknown) => {
      app.log.error({ err: error }, 'the database does not answer');
      return { ok: false, detail: 'The database does not answer.' };
    },
  );
  const upMs = app.clock.monotonicMs() - lifecycle.of(app).startedAtMs;
  return {
    status: database.ok ? 'ok' : 'unavailable',
    uptime: Math.floor(upMs / 1_000),
    version: app.version,
    timestamp: app.clock.now().toISOString(),
    checks: { database, embedding: { ok: true, detail: app.embedder.model } },
  };
}
