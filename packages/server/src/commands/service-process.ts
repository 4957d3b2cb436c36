import type { ServiceOverrides } from '../context.ts';
import { openConfiguredEngine } from '../instance/open-database.ts';
import { systemClock } from '../kernel/clock.ts';
import type { Config } from '../kernel/config.ts';
import { ensureDataFolder } from '../kernel/data-folder.ts';
import { createIds } from '../kernel/ids.ts';
import { createFormattedLogOutput, createLog } from '../kernel/log.ts';
import { requireNoUnfinishedRestore } from '../kernel/restore-marker.ts';
import type { ServiceHandle } from '../serve.ts';
import type { Terminal } from './terminal.ts';

/** Opens the database, and loads the service meanwhile: each takes half of a start. */
export async function openService(
  config: Config,
  { fail, setVariables }: Terminal,
): Promise<ServiceOverrides> {
  await ensureDataFolder(config.dataDir);
  await requireNoUnfinishedRestore(config.dataDir);
  // Telemetry comes first: it exports the log, and spans of the database.
  if (config.telemetry !== null) {
    setVariables(config.telemetry.changedVariables);
    return { onEngineFailure: fail };
  }
  const log = createLog(config.logLevel, await createFormattedLogOutput(config.logFormat));
  const ids = createIds(systemClock);
  const loading = Promise.withResolvers<void>();
  const engine = await openConfiguredEngine(config, log, ids, {
    onEngineFailure: fail,
    onOpening: () => loading.resolve(loadService(config)),
  });
  await loading.promise;
  return { engine, log, ids };
}

/** With the vectors of the shipped models, if they are used. */
async function loadService({ embedding: { provider } }: Config): Promise<void> {
  await import('../serve.ts');
  const { loadStaticEmbedder } = await import('../providers/embedding/index.ts');
  if (provider === 'encoder' || provider === 'static') await loadStaticEmbedder();
}

const duplicateSignalMs = 500;

type StopReason = NodeJS.Signals | 'unused';

/**
 * The first signal stops the service gracefully, the second one immediately. Returns the function
 * that does so for other reasons.
 */
export function stopOnSignals(
  running: ServiceHandle,
  { fail }: Terminal,
): (reason: StopReason) => void {
  const { clock, log } = running.context.app;
  let firstSignalMs: number | null = null;
  const stop = (signal: StopReason): void => {
    if (firstSignalMs !== null) {
      // Under `npm run`, Ctrl-C may arrive twice: from the terminal and from npm.
      if (clock.monotonicMs() - firstSignalMs > duplicateSignalMs) process.exit(1);
      return;
    }
    firstSignalMs = clock.monotonicMs();
    log.info({ signal }, 'stopping');
    running.stop().then(() => process.exit(0), fail);
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
  return stop;
}
