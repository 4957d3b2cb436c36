import { openEmbedded } from './embedded/embedded.ts';
import type { Engine, EngineDeps, EngineSettings } from './engine.ts';
import { openServer } from './server/server.ts';

/**
 * Opens the database of the settings.
 *
 * Throws DataFolderInUse if another process holds the folder, DatabaseUnsuitable if the server is
 * unreachable or older than PostgreSQL 16.
 */
export function openEngine(settings: EngineSettings, deps: EngineDeps): Promise<Engine> {
  return settings.kind === 'embedded' ? openEmbedded(settings, deps) : openServer(settings, deps);
}
