import type { CommandContext } from '../context.ts';
import { waitForJob } from '../wait-for-job.ts';
import type { OperationCall } from './operation-call.ts';
import { findOperation } from './operations.ts';

/** Operations whose jobs have a report of their own. */
const reportOf: Readonly<Record<string, string>> = {
  'admin.startVerification': 'admin.getVerification',
  'admin.startReembedding': 'admin.getReembedding',
};

interface Job {
  readonly status: string;
  readonly progress: number;
  readonly error: string | null;
}

/**
 * Waits for the job that a result names. Returns the job, or for a read its new result. Returns
 * the result itself if it names no job. Throws CliError `job_failed`.
 */
export async function waitForResult(call: OperationCall, result: unknown): Promise<unknown> {
  const { context, client, operation, input, options } = call;
  const { job_id: id } = Object(result) as { readonly job_id?: string | null };
  if (!id) return result;
  const read = findOperation(reportOf[operation.id] ?? 'jobs.get');
  const readJob = () => client.call(read, { params: { id } }) as Promise<Job>;
  const isQuiet = Boolean(options.json || options.jsonl);
  // After Ctrl-C the id is needed to continue to wait.
  const label = ({ status }: Job): string => `${status}, job ${id}`;
  const job = await waitForJob(context, readJob, { label, isQuiet });
  return operation.method === 'GET' ? client.call(operation, input) : job;
}

/** Waits for a job of the account by its id. Throws CliError `job_failed`. */
export async function waitForJobById(
  context: CommandContext,
  id: string,
  isQuiet: boolean,
): Promise<unknown> {
  const client = await context.client();
  return waitForJob(context, () => client.jobs.get({ params: { id } }), {
    label: ({ status }) => status,
    isQuiet,
  });
}
