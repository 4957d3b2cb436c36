import { ensureDatabaseTemplate, removeOtherDatabaseTemplates } from '../database/index.ts';
import { migrationsFolder, templatesFolder } from '../instance/open-database.ts';
import { createLog } from '../kernel/log.ts';
import { ensureProgramBundle } from './program-bundle.ts';

/** Prepares what would make starts slow: a new embedded database, and the bundled program. */
export async function prepareInstallation(): Promise<void> {
  const log = createLog('warn');
  await ensureDatabaseTemplate(templatesFolder, migrationsFolder, log);
  await ensureProgramBundle();
  await removeOtherDatabaseTemplates(templatesFolder, migrationsFolder);
}
