import type { Answer, Checked, Diagnosis, routes } from '@mneme/contract';
import type { Finding } from '../../engine/index.ts';
import { AppError } from '../../kernel/errors.ts';
import type { App } from '../ctx.ts';
import { checkHealth } from './health.ts';

const present = (finding: Finding): Diagnosis['findings'][number] => ({
  id: finding.id,
  kind: finding.kind,
  degrades_health: finding.isDegrading,
  message: finding.message,
  action: finding.action,
  found_at: finding.foundAt,
  acknowledged_at: finding.acknowledgedAt,
});

/** The health, and what this process found of the stored data. */
export async function diagnose(app: App): Promise<Answer<typeof routes.admin.getDiagnosis>> {
  const { status, checks } = await checkHealth(app);
  return { status, checks, findings: app.engine.integrity.findings.map(present) };
}

/** Marks findings as seen, all or some. Throws 404 not_found for an id that there is not. */
export function acknowledge(
  app: App,
  { ids = null }: { ids?: Checked<typeof routes.admin.acknowledgeFindings>['body']['ids'] | null },
): Promise<Diagnosis> {
  const { integrity } = app.engine;
  const known = new Set(integrity.findings.map(({ id }) => id));
  if (ids?.some((id) => !known.has(id))) {
    throw new AppError('not_found', { message: 'There is no such finding.' });
  }
  const count = integrity.acknowledge(ids);
  app.log.info({ count }, 'findings acknowledged');
  return diagnose(app);
}
