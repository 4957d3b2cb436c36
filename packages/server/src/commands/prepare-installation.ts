import { migrationsFolder, templatesFolder } from '../context.ts';
import { ensureDatabaseTemplate, removeOtherDatabaseTemplates } from '../database/index.ts';
import { createLog } from '../kernel/log.ts';

/** Prepares what would make the first start slow: a new embedded database. */
export async function prepareInstallation(): Promise<void> {
  const log = createLog('warn');
  await ensureDatabaseTemplate(templatesFolder, migrationsFolder, log);
  await removeOtherDatabaseTemplates(templatesFolder, migrationsFolder);
}
