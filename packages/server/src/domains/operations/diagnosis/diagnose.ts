import type { Diagnosis, ResponseBody, routes, ValidatedRequest } from '@mneme/contract';
import { AppError } from '../../../kernel/errors.ts';
import type { App } from '../../ctx.ts';
import { checkBackups } from '../backup/status.ts';
import { checkHealth } from '../health.ts';
import { checkBlobs } from './blobs.ts';
import { checkDisk } from './disk.ts';
import { checkJobs } from './jobs.ts';
import { DiagnosisReport } from './report.ts';
import { checkSecrets } from './secrets.ts';
import { checkSettings } from './settings.ts';
import { checkVersions } from './versions.ts';

/** Combines the health, problems of the instance, and findings of the stored data. */
export async function diagnose(app: App): Promise<ResponseBody<typeof routes.admin.getDiagnosis>> {
  const { config, engine, clock } = app;
  const { status, checks } = await checkHealth(app);
  const report = new DiagnosisReport(clock.now(), checks);
  const { unknownSettings: unknown, ignoredSettings: ignored } = config;
  await report.run('settings', () => checkSettings({ unknown, ignored }));
  await report.run('secrets', () => checkSecrets(config));
  await report.run('disk', () => checkDisk(config));
  await report.run('versions', () => checkVersions(engine));
  await report.run('blobs', () => checkBlobs(app.blobs));
  await report.run('jobs', () => checkJobs(engine.db, clock.now()));
  const { schedule } = config.backup;
  await report.run('backups', () => checkBackups(engine.db, schedule, clock.now()));
  report.addStoredFindings(engine.integrity.findings);
  return report.toDiagnosis(status, config.dataDir);
}

/** Acknowledges all or some findings. Throws 404 not_found for an unknown id. */
export function acknowledgeFindings(
  app: App,
  {
    ids = null,
  }: { ids?: ValidatedRequest<typeof routes.admin.acknowledgeFindings>['body']['ids'] | null },
): Promise<Diagnosis> {
  const { integrity } = app.engine;
  const known = new Set(integrity.findings.map(({ id }) => id));
  if (ids?.some((id) => !known.has(id))) {
    throw new AppError('not_found', { message: 'The finding does not exist.' });
  }
  const count = integrity.acknowledge(ids);
  app.log.info({ count }, 'findings acknowledged');
  return diagnose(app);
}
