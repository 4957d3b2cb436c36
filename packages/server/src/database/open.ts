import { openEmbedded } from './embedded/embedded.ts';
import type { Engine, EngineDeps, EngineSettings } from './engine.ts';
import { openServer } from './server/server.ts';

/**
 * Opens the database that the settings name.
 *
 * Throws DataFolderInUse when another process holds the folder, DatabaseUnsuitable when the server
 * is older than PostgreSQL 16, and what the driver throws when it cannot be reached.
 */
export function openEngine(settings: EngineSettings, deps: EngineDeps): Promise<Engine> {
  return settings.kind === 'embedded' ? openEmbedded(settings, deps) : openServer(settings, deps);
}
