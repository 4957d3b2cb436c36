import type { Verification } from '@mneme/contract';
import { eventually } from '../../support/eventually.ts';
import type { Service } from '../../support/service.ts';

const timeoutMs = 60_000;

/** Starts a verification as the operator and waits for its end. */
export async function runVerification(
  service: Pick<Service, 'operator' | 'running'>,
  body: { account_id?: string; repair?: boolean; deep?: boolean } = {},
): Promise<Verification> {
  const { admin } = service.operator();
  const { job_id: id } = await admin.startVerification({ body });
  await service.running.context.worker.drain();
  return eventually(
    () => admin.getVerification({ params: { id } }),
    ({ status }) => status === 'completed' || status === 'failed',
    timeoutMs,
  );
}

/** The faults without their words. */
export const summarizeInconsistencies = ({ faults }: Pick<Verification, 'faults'>): string[] =>
  faults.map(({ check, code, id }) => `${check}: ${code}${id === null ? '' : ` ${id}`}`);
